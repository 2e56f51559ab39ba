// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Notes faults in advice, and unweaves aspects that had one; see fault.h.
 *
 * The handlers run in the context of the hit, NMI too, and take no lock. They write to the aspect's
 * struct wk_fault, which lives as long as any task can be in its advice. The first of them takes it
 * by a compare-and-exchange. An irq_work queues the work item, since a work item cannot be queued
 * from everywhere.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/irq_work.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>
#include <asm/ptrace.h>
#include <asm/trapnr.h>

#include "base/lock.h"
#include "fault.h"
#include "runtime/advice.h"
#include "runtime/unbalanced.h"
#include "splice/entry-close.h"
#include "splice/fault-hook.h"
#include "splice/leave.h"
#include "splice/splice.h"

enum state { NONE, WRITING, VALID };

static const char *const names[] = {
	[X86_TRAP_DE] = "division error (#DE)",
	[X86_TRAP_OF] = "overflow (#OF)",
	[X86_TRAP_BR] = "bounds error (#BR)",
	[X86_TRAP_UD] = "BUG() or invalid opcode (#UD)",
	[X86_TRAP_TS] = "invalid TSS (#TS)",
	[X86_TRAP_NP] = "segment not present (#NP)",
	[X86_TRAP_SS] = "stack segment error (#SS)",
	[X86_TRAP_GP] = "protection error (#GP)",
	[X86_TRAP_PF] = "page fault (#PF)",
	[X86_TRAP_AC] = "alignment check (#AC)",
};

static const char *const balances[WEFT_UNBALANCED_BITS] = {
#define WORDS(name, words) [WEFT_UNBALANCED_##name##_BIT] = words,
	WEFT_UNBALANCED(WORDS)
#undef WORDS
};

/* Writes "BUG() or invalid opcode (#UD)", or "unbalanced: preemption, RCU". */
static void write_kind(const struct wk_fault_record *record, char *ret, size_t size)
{
	bool known = record->trap < ARRAY_SIZE(names) && names[record->trap];
	const char *separator = ": ";
	size_t n;

	if (record->trap != WEFT_TRAP_UNBALANCED) {
		strscpy(ret, known ? names[record->trap] : "fault", size);
		return;
	}
	n = scnprintf(ret, size, "unbalanced");
	for (unsigned int bit = 0; bit < ARRAY_SIZE(balances); bit++) {
		if (!(record->code & BIT(bit)))
			continue;
		n += scnprintf(ret + n, size - n, "%s%s", separator, balances[bit]);
		separator = ", ";
	}
}

/* The innermost instruction that is in the aspect; of one that called, the one after the call. */
static void *location(const struct wk_fault_record *record)
{
	return (void *)record->frames[min(record->inner, record->nr - 1)];
}

static struct workqueue_struct *queue;

/* ---- in any context -------------------------------------------------------------------------- */

static void wake(struct irq_work *work);
static struct irq_work waking = IRQ_WORK_INIT_HARD(wake);

static void handle_all(struct work_struct *work);
static DECLARE_WORK(handling, handle_all);

static void wake(struct irq_work *work)
{
	queue_work(queue, &handling);
}

static void fill(struct wk_fault_record *record, const struct wk_fault_event *event,
		 const struct wk_leave *leave)
{
	const struct weft_joinpoint *joinpoint = leave->attachment->shadow.joinpoint;

	record->trap = event->trap;
	record->left = leave->possible;
	record->preempts = 0;
	record->code = event->code;
	record->address = event->address;
	record->time = ktime_get_mono_fast_ns();
	record->cpu = raw_smp_processor_id();
	record->pid = task_pid_nr(current);
	record->tgid = task_tgid_nr(current);
	memcpy(record->comm, current->comm, sizeof(record->comm));
	record->joinpoint = joinpoint - leave->attachment->fault->module->joinpoints;
	record->advice = joinpoint->advice;
	record->nr = min_t(unsigned int, leave->nr, WEFT_FAULT_FRAMES);
	record->inner = leave->inner;
	memcpy(record->frames, leave->frames, record->nr * sizeof(*record->frames));
}

/* Counts the fault. Returns its record if it is the first, which the caller then publishes. */
static struct wk_fault_record *note(const struct wk_fault_event *event,
				    const struct wk_leave *leave)
{
	struct wk_fault *fault = leave->attachment->fault;

	atomic64_inc(&fault->count);
	if (atomic_read(&fault->state) != NONE ||
	    atomic_cmpxchg(&fault->state, NONE, WRITING) != NONE)
		return NULL;
	fill(&fault->first, event, leave);
	return &fault->first;
}

static void publish(const struct wk_leave *leave)
{
	atomic_set_release(&leave->attachment->fault->state, VALID);
	irq_work_queue(&waking);
}

static void report_oops(const struct wk_leave *leave)
{
	const struct weft_aspect *module = leave->attachment->fault->module;
	const struct weft_advice *advice =
		&module->advices[leave->attachment->shadow.joinpoint->advice];
	unsigned long in = leave->inner < leave->nr ? leave->frames[leave->inner]
						    : leave->attachment->advice;

	pr_emerg("%s: the advice of %s:%u has called what faults now, from %pS; that cannot be "
		 "left\n",
		 module->header->name, advice->file, advice->line, (void *)in);
}

static bool mend(const struct wk_fault_event *event)
{
	struct wk_fault_record *first;
	struct wk_leave leave;
	int preempts;

	if (!wk_leave_find(event->regs, event->fetch, &leave))
		return false;
	first = note(event, &leave);
	if (leave.possible)
		preempts = wk_leave(event->regs, &leave, event->preempts);
	else
		report_oops(&leave);
	if (first) {
		if (leave.possible)
			first->preempts = preempts;
		publish(&leave);
	}
	return leave.possible;
}

void wk_fault_unbalanced(struct wk_attachment *attachment, u32 what, int preempts)
{
	const struct wk_fault_event event = { .trap = WEFT_TRAP_UNBALANCED, .code = what };
	const struct wk_leave leave = {
		.attachment = attachment,
		.frames = { attachment->advice },
		.nr = 1,
		.possible = true,
	};
	struct wk_fault_record *first;

	WRITE_ONCE(attachment->fault->unbalanced, true);
	first = note(&event, &leave);
	if (!first)
		return;
	first->preempts = preempts;
	publish(&leave);
}

/*
 * In an interrupt the kernel panics next. In a task, preemption has been off since the hit; so the
 * task that dies is the one that has the guard.
 */
static void on_oops(struct pt_regs *regs)
{
	if (!in_interrupt())
		wk_leave_guard();
}

static const struct wk_fault_hooks hooks = { .mend = mend, .oops = on_oops };

/* ---- in the work item ------------------------------------------------------------------------ */

static void report(const struct wk_fault *fault)
{
	const struct wk_fault_record *first = &fault->first;
	const struct weft_advice *advice = &fault->module->advices[first->advice];
	const char *name = fault->module->header->name;
	char address[32] = "", kind[sizeof_field(struct weft_fault, kind)];

	if (first->trap == X86_TRAP_PF)
		scnprintf(address, sizeof(address), " for %#lx", first->address);
	write_kind(first, kind, sizeof(kind));
	pr_warn("%s: %s%s in the advice of %s:%u, at %pS, in %s[%u] on CPU %u: unwoven\n",
		name, kind, address, advice->file, advice->line, location(first),
		first->comm, first->pid, first->cpu);
	if (first->preempts)
		pr_warn("%s: the advice had changed the preemption count by %d: a lock that it "
			"took is never released\n",
			name, first->preempts);
}

static u64 since(const struct wk_fault *fault)
{
	return ktime_get_mono_fast_ns() - fault->first.time;
}

/*
 * The fields of struct wk_fault that say so. Taken inside wk_mutex, or alone; the kernel's
 * text_mutex is taken inside it.
 */
static DEFINE_MUTEX(mutex);
/* struct wk_fault.watched; changed with both mutexes held */
static LIST_HEAD(watched);

/* If memory is short, the aspect is only unwoven. */
static void close(struct wk_fault *fault)
{
	const struct weft_aspect *module = fault->module;
	u32 nr = module->header->nr_advices;

	if (!wk_fault_first(fault) || fault->closed)
		return;
	fault->closed = kvcalloc(nr, sizeof(*fault->closed), GFP_KERNEL);
	if (!fault->closed)
		return;
	fault->nr_closed = 0;
	for (u32 i = 0; i < nr; i++)
		if (module->advices[i].entry)
			fault->closed[fault->nr_closed++].address =
				(unsigned long)module->advices[i].entry;
	wk_entries_close(fault->closed, fault->nr_closed);
	fault->disabled_after = since(fault);
}

static void handle(struct wk_fault *fault)
{
	if (!wk_fault_first(fault) || fault->handled)
		return;
	fault->handled = true;
	report(fault);
	fault->unweave(fault);
	fault->unwoven_after = since(fault);
}

/* For tests of many faults in a row. */
static bool keep_faulted;
#ifdef WK_DEBUG
module_param(keep_faulted, bool, 0644);
MODULE_PARM_DESC(keep_faulted, "leave aspects woven whose advice has faulted (N)");
#endif

static void handle_all(struct work_struct *work)
{
	struct wk_fault *fault;

	if (keep_faulted)
		return;
	mutex_lock(&mutex);
	list_for_each_entry(fault, &watched, watched)
		close(fault);
	mutex_unlock(&mutex);

	mutex_lock(&wk_mutex);
	list_for_each_entry(fault, &watched, watched)
		handle(fault);
	mutex_unlock(&wk_mutex);
}

/* ---- an aspect ------------------------------------------------------------------------------- */

void wk_fault_create(struct wk_fault *fault, const struct weft_aspect *module)
{
	memset(fault, 0, sizeof(*fault));
	INIT_LIST_HEAD(&fault->watched);
	fault->module = module;
}

void wk_fault_begin(struct wk_fault *fault, void (*unweave)(struct wk_fault *fault))
{
	wk_fault_create(fault, fault->module);
	fault->unweave = unweave;
	mutex_lock(&mutex);
	list_add_tail(&fault->watched, &watched);
	mutex_unlock(&mutex);
}

void wk_fault_end(struct wk_fault *fault)
{
	mutex_lock(&mutex);
	list_del_init(&fault->watched);
	if (fault->closed) {
		wk_entries_open(fault->closed, fault->nr_closed);
		kvfree(fault->closed);
		fault->closed = NULL;
	}
	mutex_unlock(&mutex);
}

u64 wk_fault_count(const struct wk_fault *fault)
{
	return atomic64_read(&fault->count);
}

bool wk_fault_is_unbalanced(const struct wk_fault *fault)
{
	return READ_ONCE(fault->unbalanced);
}

const struct wk_fault_record *wk_fault_first(const struct wk_fault *fault)
{
	return atomic_read_acquire(&fault->state) == VALID ? &fault->first : NULL;
}

int wk_fault_describe(const struct wk_fault *fault, struct weft_fault *ret)
{
	const struct wk_fault_record *first = wk_fault_first(fault);
	size_t n = 0;

	if (!first)
		return -ENODATA;
	ret->count = wk_fault_count(fault);
	ret->time = first->time;
	ret->disabled_after = fault->disabled_after;
	ret->unwoven_after = fault->unwoven_after;
	ret->address = first->address;
	ret->code = first->code;
	ret->trap = first->trap;
	ret->oops = !first->left;
	ret->preempts = first->preempts;
	ret->cpu = first->cpu;
	ret->pid = first->pid;
	ret->tgid = first->tgid;
	ret->joinpoint = first->joinpoint;
	ret->advice = first->advice;
	ret->nr_frames = first->nr;
	ret->inner = first->inner;
	strscpy(ret->comm, first->comm, sizeof(ret->comm));
	strscpy(ret->file, fault->module->advices[first->advice].file, sizeof(ret->file));
	ret->line = fault->module->advices[first->advice].line;
	write_kind(first, ret->kind, sizeof(ret->kind));
	ret->stack[0] = '\0';
	for (unsigned int i = 0; i < first->nr; i++) {
		ret->frames[i] = first->frames[i];
		n += scnprintf(ret->stack + n, sizeof(ret->stack) - n, "%pS\n",
			       (void *)first->frames[i]);
	}
	return 0;
}

int __init wk_fault_init(void)
{
	int ret;

	queue = alloc_ordered_workqueue("weft-fault", WQ_HIGHPRI);
	if (!queue)
		return -ENOMEM;
	if (!wk_leave_supported())
		pr_warn("this kernel has no ORC unwinder: a fault in advice is an oops\n");
	ret = wk_fault_hook_init(&hooks);
	if (ret)
		destroy_workqueue(queue);
	return ret;
}

void wk_fault_deinit(void)
{
	wk_fault_hook_deinit();
	irq_work_sync(&waking);
	destroy_workqueue(queue);
}
