// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Notes faults in advice, and unweaves aspects that had one; see fault.h.
 *
 * The handlers run in the context of the hit, which may be an NMI, and take no lock. They write to
 * the aspect's struct wk_fault, which lives as long as any task can be in the aspect's advice. A
 * handler that finds the first fault takes the struct by a compare-and-exchange, and closes the
 * advice itself, so the closing depends on no other task. A work item then unweaves the aspect. A
 * work item cannot be queued from every context, so the handler queues an irq_work, which queues
 * the work item. On a CPU that goes offline no irq_work runs any more. So while anything is woven,
 * the work item also runs by itself from time to time.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/irq_work.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
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
#include "splice/block-call.h"
#include "splice/user-call.h"
#include "splice/entry-close.h"
#include "splice/fault-hook.h"
#include "splice/module-tables.h"
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
	[WEFT_FAULT_BUDGET] = "longer than its budget",
	[WEFT_FAULT_SHARE] = "more than its share of a CPU",
	[WEFT_FAULT_WARNING] = "WARN()",
};

static const char *const balances[WEFT_UNBALANCED_BITS] = {
#define WORDS(name, words) [WEFT_UNBALANCED_##name##_BIT] = words,
	WEFT_UNBALANCED(WORDS)
#undef WORDS
};

/*
 * Writes the kind of the fault to @ret, such as "BUG() or invalid opcode (#UD)", or "unbalanced:
 * preemption, RCU".
 */
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

/*
 * Returns the line of the aspect's file that faulted, or that called the function that faulted. All
 * frames except the first are return addresses, so 1 is subtracted from them. If no line is known,
 * or the fault is not one line's (unbalanced advice), returns the line of the advice's body, and 0
 * for a block.
 */
static u32 line_of(const struct weft_aspect *module, const struct wk_fault_record *record)
{
	unsigned int nr = record->trap == WEFT_TRAP_UNBALANCED ? 0 : record->nr;

	if (record->line)
		return record->line;
	for (unsigned int i = 0; i < nr; i++) {
		unsigned long at = record->frames[i] - (i ? 1 : 0);
		u32 line = within_module_core(at, module->module) ? wk_module_line(module, at) : 0;

		if (line && !(record->passed_frames & BIT(i)))
			return line;
	}
	return record->advice < module->header->nr_advices ? module->advices[record->advice].line
							   : 0;
}

static const char *part_of(const struct wk_fault_record *record)
{
	switch (record->joinpoint) {
	case WEFT_JOINPOINT_START:
		return "start block";
	case WEFT_JOINPOINT_END:
		return "end block";
	default:
		return "advice";
	}
}

/*
 * Writes "symbol+offset/size [module]" for frame @i; returns the number of characters. If a call is
 * the last instruction of its function, the return address is the start of the next function. So
 * the symbol of a return address is looked up for the byte before it (%pB).
 */
static int write_frame(const struct wk_fault_record *record, unsigned int i, char *ret,
		       size_t size)
{
	void *address = (void *)record->frames[i];

	return i ? scnprintf(ret, size, "%pB", address) : scnprintf(ret, size, "%pS", address);
}

/*
 * Writes the location of the innermost instruction of the aspect's code. If that is a call, writes
 * the address after it.
 */
static void write_location(const struct wk_fault_record *record, char *ret, size_t size)
{
	write_frame(record, min(record->inner, record->nr - 1), ret, size);
}

/* bytes of the text that write_location() writes; longer text is cut */
enum { LOCATION_SIZE = 160 };

static struct workqueue_struct *queue;

/* ---- noting faults, in any context ----------------------------------------------------------- */

static void wake(struct irq_work *work);
static struct irq_work waking = IRQ_WORK_INIT_HARD(wake);

static void handle_all(struct work_struct *work);
static DECLARE_DELAYED_WORK(handling, handle_all);

enum { LOOK_MS = 500 }; /* how often the work item runs by itself */

static void wake(struct irq_work *work)
{
	mod_delayed_work(queue, &handling, 0);
}

static void fill(struct wk_fault_record *record, const struct wk_fault_event *event,
		 const struct wk_leave *leave)
{
	record->trap = event->trap;
	record->left = leave->possible;
	record->preempts = 0;
	record->left_after = 0;
	record->code = event->code;
	record->address = event->address;
	record->taken = event->taken;
	record->limit = event->limit;
	record->sp = leave->sp;
	record->time = ktime_get_mono_fast_ns();
	record->cpu = raw_smp_processor_id();
	record->pid = task_pid_nr(current);
	record->tgid = task_tgid_nr(current);
	memcpy(record->comm, current->comm, sizeof(record->comm));
	if (leave->block) {
		record->joinpoint = leave->block->end ? WEFT_JOINPOINT_END : WEFT_JOINPOINT_START;
		record->advice = leave->module->header->nr_advices;
	} else {
		record->joinpoint = leave->attachment->shadow.joinpoint - leave->module->joinpoints;
		record->advice = leave->attachment->shadow.joinpoint->advice;
	}
	record->nr = min_t(unsigned int, leave->nr, WEFT_FAULT_FRAMES);
	record->inner = leave->inner;
	record->passed_frames = leave->passed_frames;
	record->line = 0;
	memcpy(record->frames, leave->frames, record->nr * sizeof(*record->frames));
	/* Of a deep stack, keep the frame that says which line of the aspect it was. */
	if (leave->inner >= WEFT_FAULT_FRAMES && leave->inner < leave->nr) {
		record->inner = WEFT_FAULT_FRAMES - 1;
		record->frames[record->inner] = leave->frames[leave->inner];
		record->passed_frames &= ~BIT(record->inner);
	}
}

/*
 * Counts the fault. If it is the first, fills its record and returns it; the caller then publishes
 * it.
 */
static struct wk_fault_record *note(const struct wk_fault_event *event,
				    const struct wk_leave *leave)
{
	struct wk_fault *fault = leave->fault;

	atomic64_inc(&fault->count);
	if (atomic_read(&fault->state) != NONE ||
	    atomic_cmpxchg(&fault->state, NONE, WRITING) != NONE)
		return NULL;
	fill(&fault->first, event, leave);
	return &fault->first;
}

/*
 * True: aspects stay woven after a fault. Debug builds have it as a parameter, for tests that need
 * many faults in a row.
 */
static bool keep_faulted;
#ifdef WK_DEBUG
module_param(keep_faulted, bool, 0644);
MODULE_PARM_DESC(keep_faulted, "leave aspects woven whose advice has faulted (N)");
#endif

static u64 since(const struct wk_fault *fault)
{
	return ktime_get_mono_fast_ns() - fault->first.time;
}

static void publish(const struct wk_leave *leave)
{
	struct wk_fault *fault = leave->fault;

	if (!keep_faulted && wk_entries_close(&fault->entries))
		fault->disabled_after = since(fault);
	atomic_set_release(&fault->state, VALID);
	/*
	 * A CPU that goes offline handles its irq_works for the last time after it was marked
	 * offline. So an irq_work that is queued while the CPU is marked online will run.
	 */
	if (!keep_faulted && cpu_online(raw_smp_processor_id()))
		irq_work_queue(&waking);
}

static void report_oops(const struct wk_fault_event *event, const struct wk_leave *leave)
{
	const struct weft_aspect *module = leave->module;
	struct wk_fault_record now;
	char place[LOCATION_SIZE];

	fill(&now, event, leave);
	write_location(&now, place, sizeof(place));
	pr_emerg("%s: its %s, at %s:%u, has called what faults now, from %s; that cannot be "
		 "left\n",
		 module->header->name, part_of(&now), module->file, line_of(module, &now), place);
}

static bool mend(const struct wk_fault_event *event)
{
	struct wk_fault_record *first;
	struct wk_leave leave;
	int preempts;

	if (!wk_leave_find(event->regs, event->fetch, event->preempts, &leave))
		return false;
	first = note(event, &leave);
	if (leave.possible)
		preempts = wk_leave(event->regs, &leave, event->preempts);
	else
		report_oops(event, &leave);
	if (first) {
		if (leave.possible)
			first->preempts = preempts;
		publish(&leave);
	}
	return leave.possible;
}

/*
 * Notes a WARN() in the code of an aspect's advice as a fault. Returns whether it has done so; if
 * not, the kernel reports the warning. The kernel also reports a WARN() in one of its own
 * functions, and one in a start or end block. The latter must not be noted: noting a fault closes
 * the advice, but the start block would go on, and the aspect would be woven with advice that
 * cannot run.
 */
static bool warn(struct pt_regs *regs, const char *file, u32 line)
{
	const struct wk_fault_event event = { .regs = regs, .trap = WEFT_FAULT_WARNING };
	struct wk_fault_record *first;
	struct wk_leave leave;

	if (!wk_leave_find(regs, false, 0, &leave) || !leave.attachment ||
	    !within_module_core(leave.frames[0], leave.module->module))
		return false;
	first = note(&event, &leave);
	if (first) {
		if (file && !strcmp(kbasename(file), leave.module->file))
			first->line = line;
		publish(&leave);
	}
	return true;
}

void wk_fault_limit(const struct wk_fault_event *event, const struct wk_leave *leave, int preempts)
{
	struct wk_fault_record *first = note(event, leave);

	if (!first)
		return;
	first->preempts = preempts;
	publish(leave);
}

void wk_fault_left(const struct wk_leave *leave, int preempts)
{
	struct wk_fault *fault = leave->attachment->fault;
	struct wk_fault_record *first = &fault->first;

	if (!wk_fault_first(fault) || first->trap != WEFT_FAULT_BUDGET || first->left ||
	    first->cpu != raw_smp_processor_id() || first->sp != leave->sp)
		return;
	WRITE_ONCE(first->preempts, preempts);
	WRITE_ONCE(first->left_after, ktime_get_mono_fast_ns() - first->time);
	WRITE_ONCE(first->left, true);
}

void wk_fault_unbalanced(struct wk_attachment *attachment, u32 what, int preempts)
{
	const struct wk_fault_event event = { .trap = WEFT_TRAP_UNBALANCED, .code = what };
	const struct wk_leave leave = {
		.attachment = attachment,
		.module = attachment->module,
		.fault = attachment->fault,
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
 * Called when an oops begins. If it begins in an interrupt, the kernel panics, and nothing need be
 * done. Otherwise only the current task dies. If the task is in advice, it holds the nesting guard
 * of this CPU, since preemption has been off since the hit. A task that dies can no longer give the
 * guard back, or end the block or the around-advice that it runs; so this function does. If the
 * task dies in advice in a program, this function notes that: the task holds the uprobe for good.
 */
static void on_oops(struct pt_regs *regs)
{
	if (in_interrupt())
		return;
	wk_leave_abandon(regs);
	wk_leave_guard();
	wk_user_call_abandon();
	wk_block_call_abandon();
}

static const struct wk_fault_hooks hooks = { .mend = mend, .warn = warn, .oops = on_oops };

/* ---- unweaving after a fault, in the work item ----------------------------------------------- */

/* Was a limit of time exceeded? */
static bool is_limit(const struct wk_fault_record *record)
{
	return record->trap == WEFT_FAULT_BUDGET || record->trap == WEFT_FAULT_SHARE;
}

static void report(const struct wk_fault *fault)
{
	const struct wk_fault_record *first = &fault->first;
	const char *name = fault->module->header->name;
	char detail[64] = "", kind[sizeof_field(struct weft_fault, kind)], place[LOCATION_SIZE];

	if (first->trap == X86_TRAP_PF)
		scnprintf(detail, sizeof(detail), " for %#lx", first->address);
	else if (is_limit(first))
		scnprintf(detail, sizeof(detail), " (%llu us instead of %llu us)",
			  first->taken / NSEC_PER_USEC, first->limit / NSEC_PER_USEC);
	write_kind(first, kind, sizeof(kind));
	write_location(first, place, sizeof(place));
	pr_warn("%s: %s%s in its %s, at %s:%u, %s, in %s[%u] on CPU %u\n", name, kind, detail,
		part_of(first), fault->module->file, line_of(fault->module, first), place,
		first->comm, first->pid, first->cpu);
	if (first->preempts)
		pr_warn("%s: it had changed the preemption count by %d: a lock that it took is "
			"never released\n",
			name, first->preempts);
}

/*
 * The struct wk_faults of all aspects that are woven or retiring, linked by .watched. Under
 * wk_mutex.
 */
static LIST_HEAD(watched);

static void handle(struct wk_fault *fault)
{
	if (!wk_fault_first(fault) || fault->handled)
		return;
	fault->handled = true;
	report(fault);
	wk_entries_report_to_perf(&fault->entries);
	if (!fault->unweave(fault))
		return;
	fault->unwoven_after = since(fault);
	if (!fault->disabled_after)
		fault->disabled_after = fault->unwoven_after;
}

/* Queues the work item once more, to run in LOOK_MS, if any aspect is watched. Under wk_mutex. */
static void look_again(void)
{
	if (!list_empty(&watched))
		queue_delayed_work(queue, &handling, msecs_to_jiffies(LOOK_MS));
}

static void handle_all(struct work_struct *work)
{
	struct wk_fault *fault;

	mutex_lock(&wk_mutex);
	if (!keep_faulted)
		list_for_each_entry(fault, &watched, watched)
			handle(fault);
	look_again();
	mutex_unlock(&wk_mutex);
}

/* ---- watching the faults of one aspect ------------------------------------------------------- */

void wk_fault_create(struct wk_fault *fault, const struct weft_aspect *module)
{
	memset(fault, 0, sizeof(*fault));
	INIT_LIST_HEAD(&fault->watched);
	fault->module = module;
}

void wk_fault_begin(struct wk_fault *fault, bool (*unweave)(struct wk_fault *fault))
{
	wk_fault_create(fault, fault->module);
	fault->unweave = unweave;
	wk_entries_watch(&fault->entries, fault->module);
	wk_arounds_watch(&fault->arounds, fault->module);
	list_add_tail(&fault->watched, &watched);
	look_again();
}

void wk_fault_end(struct wk_fault *fault)
{
	handle(fault);
	list_del_init(&fault->watched);
	wk_entries_forget(&fault->entries);
	wk_arounds_forget(&fault->arounds);
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
	bool left;

	if (!first)
		return -ENODATA;
	left = READ_ONCE(first->left);
	ret->count = wk_fault_count(fault);
	ret->time = first->time;
	ret->disabled_after = fault->disabled_after;
	ret->unwoven_after = fault->unwoven_after;
	ret->address = first->address;
	ret->code = first->code;
	ret->trap = first->trap;
	ret->oops = !left && first->trap < WEFT_FAULT_BUDGET;
	ret->runs = !left && first->trap == WEFT_FAULT_BUDGET;
	ret->taken = first->taken;
	ret->limit = first->limit;
	ret->left_after = READ_ONCE(first->left_after);
	ret->preempts = READ_ONCE(first->preempts);
	ret->cpu = first->cpu;
	ret->pid = first->pid;
	ret->tgid = first->tgid;
	ret->joinpoint = first->joinpoint;
	ret->advice = first->advice;
	ret->nr_frames = first->nr;
	ret->inner = first->inner;
	strscpy(ret->comm, first->comm, sizeof(ret->comm));
	strscpy(ret->file, fault->module->file, sizeof(ret->file));
	ret->line = line_of(fault->module, first);
	write_kind(first, ret->kind, sizeof(ret->kind));
	ret->stack[0] = '\0';
	for (unsigned int i = 0; i < first->nr; i++) {
		ret->frames[i] = first->frames[i];
		n += write_frame(first, i, ret->stack + n, sizeof(ret->stack) - n);
		n += scnprintf(ret->stack + n, sizeof(ret->stack) - n, "\n");
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
	ret = wk_block_call_init();
	if (!ret)
		ret = wk_user_call_init();
	if (!ret)
		ret = wk_fault_hook_init(&hooks);
	if (ret)
		destroy_workqueue(queue);
	return ret;
}

void wk_fault_deinit(void)
{
	wk_fault_hook_deinit();
	irq_work_sync(&waking);
	cancel_delayed_work_sync(&handling);
	destroy_workqueue(queue);
}
