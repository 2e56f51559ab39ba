// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registers uprobes and handles their hits; see uprobes.h.
 *
 * The kernel's uprobes write a breakpoint into the text of every process that maps the file, now or
 * later. At a hit the kernel calls the handler in the process's task, on its way back to user mode,
 * with the registers that the process has there. The uprobe's register_rwsem is held meanwhile, for
 * reading; registering and unregistering hold it for writing. (Since 6.12 unregistering waits for
 * handlers instead, by SRCU or RCU.) So nobody is in the handler when an uprobe is gone. The
 * handler takes no lock.
 *
 * A task that dies of an oops below advice holds that lock for good. Whoever registers or
 * unregisters an uprobe there would wait for ever, and all hits after that, too. So such an uprobe
 * is lost: it stays, with the memory that its handler reads, and so does weft.ko; its program is
 * not woven any more (wk_program_condemn()). And so that no task dies in the moment in which
 * somebody waits for the lock, no advice runs at the instruction then (begin_change()).
 *
 * Uprobes are registered and unregistered in work items. In a task that is being killed, the kernel
 * leaves breakpoints where they are (get_user_pages() fails in such a task). And nobody holds
 * wk_mutex meanwhile, since another owner's handler may have died at the same instruction. A weave
 * waits for its work item; an unweave does not, but the aspect stays RETIRING until the work item
 * has ended.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/bsearch.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "base/lock.h"
#include "compat/uprobe.h"
#include "program-file.h"
#include "uprobes.h"
#include "runtime/plan-rules.h"
#include "splice/entry-close.h"
#include "splice/splice.h"
#include "splice/user-call.h"
#include "timing.h"

/* An uprobe, and the advice calls at it: ->nr elements of .attachments from ->first on. */
struct wk_uprobe {
	struct uprobe_consumer consumer;
	struct wk_uprobe_handle handle;
	struct wk_uprobes *owner;
	struct wk_program *program;
	loff_t offset; /* bytes from the start of the file */
	struct wk_attachment *first;
	u32 nr;
	bool changing; /* it is being registered or unregistered; under `lock` */
	/* its advice does not run (begin_change()); written under `lock`, read by READ_ONCE() */
	bool quiet;
};

struct wk_uprobes {
	struct list_head node; /* on the list `all` until they are out; for good if ->lost */
	struct wk_uprobes_of of; /* of the aspect's module, which may be gone once advice is over */
	char name[WEFT_NAME_MAX]; /* the aspect's name */
	bool open;  /* advice may run; accessed by WRITE_ONCE() and READ_ONCE() */
	bool closed; /* wk_uprobes_close() was called; under wk_mutex */
	bool timed; /* some of the advice starts later than the weave, or stops */
	struct work_struct work; /* registers the uprobes, and later unregisters them */
	int error; /* the error with which registering has failed; 0: none */
	/* lost: some uprobe cannot be unregistered. out: set when the others are unregistered */
	bool lost, out;
	struct wk_program *programs; /* array by part; not open where the part is no program */
	u32 nr_programs;
	struct wk_uprobe *list;
	u32 nr;
	/* array in the order of the table of joinpoints; they are in no splice and on no list */
	struct wk_attachment *attachments;
	u32 nr_attachments;
};

static const char *program_of(const struct weft_aspect *module, u32 part)
{
	return module->strings + module->parts[part].module;
}

static bool is_wanted(const struct weft_aspect *module, const struct weft_joinpoint *joinpoint)
{
	return wk_program_is(program_of(module, joinpoint->part)) && !joinpoint->refusal;
}

static u32 count_wanted(const struct weft_aspect *module)
{
	u32 n = 0;

	for (u32 i = 0; i < module->header->nr_joinpoints; i++)
		n += is_wanted(module, &module->joinpoints[i]);
	return n;
}

bool wk_uprobes_wanted(const struct weft_aspect *module)
{
	return count_wanted(module);
}

/* ---- a hit ----------------------------------------------------------------------------------- */

/* Where struct pt_regs has each register, by enum wr_register, and the flags, by WR_FLAGS. */
static const u8 places[] = {
	[WR_RAX] = offsetof(struct pt_regs, ax),  [WR_RCX] = offsetof(struct pt_regs, cx),
	[WR_RDX] = offsetof(struct pt_regs, dx),  [WR_RBX] = offsetof(struct pt_regs, bx),
	[WR_RSP] = offsetof(struct pt_regs, sp),  [WR_RBP] = offsetof(struct pt_regs, bp),
	[WR_RSI] = offsetof(struct pt_regs, si),  [WR_RDI] = offsetof(struct pt_regs, di),
	[WR_R8] = offsetof(struct pt_regs, r8),	  [WR_R9] = offsetof(struct pt_regs, r9),
	[WR_R10] = offsetof(struct pt_regs, r10), [WR_R11] = offsetof(struct pt_regs, r11),
	[WR_R12] = offsetof(struct pt_regs, r12), [WR_R13] = offsetof(struct pt_regs, r13),
	[WR_R14] = offsetof(struct pt_regs, r14), [WR_R15] = offsetof(struct pt_regs, r15),
	[WR_FLAGS] = offsetof(struct pt_regs, flags),
};

/*
 * Copies the registers in the set @needs, and no others. In struct weft_frame the flags come after
 * the registers.
 */
static __always_inline void fill(struct weft_frame *frame, const struct pt_regs *regs, u32 needs)
{
	BUILD_BUG_ON(offsetof(struct weft_frame, flags) != WR_FLAGS * sizeof(frame->reg[0]));
	for (; needs; needs &= needs - 1) {
		u32 reg = __ffs(needs);

		((unsigned long *)frame)[reg] = *(unsigned long *)((u8 *)regs + places[reg]);
	}
}

/*
 * Runs the advice of @attachment. The address of the shadow differs from process to process, so
 * each hit has a struct weft_shadow of its own. Its target is never read: advice that needs one is
 * refused (can_run()). A kernel that clears all variables on the stack would clear these, too,
 * which takes longer than the rest of this function.
 */
static __always_inline void run(struct wk_attachment *attachment, const struct pt_regs *regs)
{
	struct weft_shadow shadow __attribute__((__uninitialized__));
	struct weft_frame frame __attribute__((__uninitialized__));

	shadow.address = regs->ip;
	shadow.joinpoint = attachment->shadow.joinpoint;
	shadow.index = attachment->shadow.index;
	shadow.once = NULL;
	fill(&frame, regs, attachment->needs);
	wk_user_call(attachment, &frame, &shadow);
}

/*
 * Looks at ->open with preemption off: a grace period of RCU after it was cleared, no task runs the
 * advice or will, and nobody reads what belongs to the aspect's module. The same goes for ->quiet
 * after it was set, but that counters go on: they cannot fault. Of a program of 32 bits nothing is
 * ever woven: its file is not ELFCLASS64.
 */
static int on_hit WK_UPROBE_HANDLER(consumer, regs)
{
	const struct wk_uprobe *probe = container_of(consumer, struct wk_uprobe, consumer);
	const struct wk_uprobes *uprobes = probe->owner;

	preempt_disable();
	for (u32 i = READ_ONCE(uprobes->open) ? 0 : probe->nr; i < probe->nr; i++) {
		struct wk_attachment *attachment = &probe->first[i];

		if (uprobes->timed && wk_timing_waits(uprobes->of.timing,
						      attachment->shadow.joinpoint->advice))
			continue;
		if (!attachment->advice)
			wk_user_count(attachment);
		else if (unlikely(READ_ONCE(probe->quiet)))
			this_cpu_inc(attachment->stats->missed);
		else
			run(attachment, regs);
	}
	preempt_enable();
	return 0;
}

/* ---- registering ----------------------------------------------------------------------------- */

/* Returns whether advice at @joinpoint can run in a program: before an instruction. */
static bool can_run(const struct weft_aspect *module, const struct weft_joinpoint *joinpoint)
{
	const struct weft_advice *advice;

	if (joinpoint->advice >= module->header->nr_advices)
		return false;
	advice = &module->advices[joinpoint->advice];
	return !joinpoint->returns && !advice->once &&
	       (joinpoint->when == WEFT_BEFORE || joinpoint->when == WEFT_LEAVING ||
		joinpoint->when == WEFT_RETURNED) &&
	       !(advice->needs & WR_BIT(WR_TARGET));
}

static void make_attachment(const struct wk_uprobes_of *of, u32 index, struct wk_attachment *ret)
{
	const struct weft_joinpoint *joinpoint = &of->module->joinpoints[index];
	const struct weft_advice *advice = &of->module->advices[joinpoint->advice];

	ret->stats = of->module->stats;
	ret->module = of->module;
	ret->fault = of->fault;
	ret->budget = of->budget;
	ret->shadow.joinpoint = joinpoint;
	ret->shadow.index = index;
	ret->advice = (unsigned long)advice->entry;
	if (advice->entry)
		ret->entry = wk_entry_after_endbr(ret->advice);
	else if (advice->count)
		ret->count = (unsigned long)*advice->count;
	ret->needs = advice->needs & (WR_BIT(WR_FLAGS + 1) - 1);
	ret->when = joinpoint->when;
}

static int open_programs(struct wk_uprobes *uprobes)
{
	const struct weft_aspect *module = uprobes->of.module;
	int ret = 0;

	for (u32 i = 1; i < module->header->nr_parts && !ret; i++) {
		const struct weft_text_part *part = &module->parts[i];

		if (wk_program_is(program_of(module, i)))
			ret = wk_program_open(&uprobes->programs[i], program_of(module, i),
					      part->build_id, part->build_id_size);
	}
	return ret;
}

/*
 * Adds the joinpoint: to the uprobe that was made last, if that is at the same instruction, else as
 * a new uprobe. The joinpoints must ascend by part and offset, because find_in() searches the
 * uprobes in that order; -EINVAL: they do not.
 */
static int add(struct wk_uprobes *uprobes, u32 index)
{
	const struct weft_joinpoint *joinpoint = &uprobes->of.module->joinpoints[index];
	struct wk_program *program = &uprobes->programs[joinpoint->part];
	struct wk_uprobe *probe = uprobes->nr ? &uprobes->list[uprobes->nr - 1] : NULL;

	if (!can_run(uprobes->of.module, joinpoint) || joinpoint->text_offset < program->text ||
	    joinpoint->text_offset >= program->text_end)
		return -EINVAL;
	if (probe && (probe->program > program ||
		      (probe->program == program && probe->offset > joinpoint->text_offset)))
		return -EINVAL;
	make_attachment(&uprobes->of, index, &uprobes->attachments[uprobes->nr_attachments]);
	if (!probe || probe->program != program || probe->offset != joinpoint->text_offset) {
		probe = &uprobes->list[uprobes->nr++];
		probe->owner = uprobes;
		probe->program = program;
		probe->offset = joinpoint->text_offset;
		probe->first = &uprobes->attachments[uprobes->nr_attachments];
		probe->consumer.handler = on_hit;
	}
	probe->nr++;
	uprobes->nr_attachments++;
	return 0;
}

static bool has_times(const struct wk_uprobes_of *of)
{
	for (u32 i = 0; i < of->module->header->nr_advices; i++)
		if (of->module->advices[i].start_after || of->module->advices[i].stop_after)
			return true;
	return of->timing->after || of->timing->lasts;
}

/* ---- work items ------------------------------------------------------------------------------ */

static struct workqueue_struct *queue;

static LIST_HEAD(all); /* of struct wk_uprobes, by ->node; under `lock` */
static DEFINE_SPINLOCK(lock);
static DECLARE_WAIT_QUEUE_HEAD(changed); /* woken when an uprobe is not ->changing any more */

static int compare(const void *left_, const void *right_)
{
	const struct wk_uprobe *left = left_, *right = right_;

	if (left->program != right->program)
		return left->program < right->program ? -1 : 1;
	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	return 0;
}

/* Returns the uprobe of @uprobes at the instruction of @probe, if it is in the program @part. */
static struct wk_uprobe *find_in(const struct wk_uprobes *uprobes, u32 part,
				 const struct wk_uprobe *probe)
{
	const struct wk_uprobe key = { .program = &uprobes->programs[part],
				       .offset = probe->offset };

	if (key.program->inode != probe->program->inode)
		return NULL;
	return bsearch(&key, uprobes->list, uprobes->nr, sizeof(*uprobes->list), compare);
}

/*
 * Iterates over the uprobes of all aspects at the instruction of @probe, which is one of them.
 * Those of aspects that are out are not among them. Under `lock`.
 */
#define for_each_at(other, uprobes, part, probe)                              \
	list_for_each_entry(uprobes, &all, node)                              \
		for (part = 0; part < uprobes->nr_programs; part++)           \
			if ((other = find_in(uprobes, part, probe)) != NULL)

static bool has_died(const struct wk_uprobe *probe)
{
	for (u32 i = 0; i < probe->nr; i++)
		if (READ_ONCE(probe->first[i].died))
			return true;
	return false;
}

/* Has a task died in advice at this instruction, of this aspect or another one? */
static bool holds_dead(const struct wk_uprobe *probe)
{
	struct wk_uprobes *uprobes;
	struct wk_uprobe *other;
	bool found = false;
	u32 part;

	if (!READ_ONCE(wk_user_any_died))
		return false;
	spin_lock(&lock);
	for_each_at(other, uprobes, part, probe)
		found |= has_died(other);
	spin_unlock(&lock);
	return found;
}

/*
 * Unless another uprobe at the instruction of @probe is ->changing: sets ->changing of @probe and
 * ->quiet of the others, sets *@others_ret if there are any, and returns true.
 */
static bool try_change(struct wk_uprobe *probe, bool *others_ret)
{
	struct wk_uprobes *uprobes;
	struct wk_uprobe *other;
	bool busy = false;
	u32 part;

	spin_lock(&lock);
	for_each_at(other, uprobes, part, probe)
		busy |= other->changing;
	if (!busy) {
		probe->changing = true;
		for_each_at(other, uprobes, part, probe) {
			if (other == probe)
				continue;
			WRITE_ONCE(other->quiet, true);
			*others_ret = true;
		}
	}
	spin_unlock(&lock);
	return !busy;
}

/*
 * Until 6.11, @probe is registered and unregistered between begin_change() and end_change(), one
 * uprobe at an instruction at a time. Meanwhile no advice of other aspects runs at the instruction;
 * their hits are missed. (Its own advice does not run either: ->open of its aspect is not set.) So
 * no task dies there while the kernel waits for handlers, and what holds_dead() says stays true.
 * An aspect that comes to the instruction meanwhile does not open before it has registered there.
 */
static void begin_change(struct wk_uprobe *probe)
{
	bool others = false;

	if (WK_UPROBE_WAITS)
		return;
	wait_event(changed, try_change(probe, &others));
	if (others)
		synchronize_rcu_expedited(); /* now nobody is in their advice: see on_hit() */
}

static void end_change(struct wk_uprobe *probe)
{
	struct wk_uprobes *uprobes;
	struct wk_uprobe *other;
	u32 part;

	if (WK_UPROBE_WAITS)
		return;
	spin_lock(&lock);
	probe->changing = false;
	for_each_at(other, uprobes, part, probe)
		WRITE_ONCE(other->quiet, false);
	spin_unlock(&lock);
	wake_up_all(&changed);
}

static int register_one(struct wk_uprobe *probe)
{
	int ret = -EOWNERDEAD;

	begin_change(probe);
	if (!holds_dead(probe))
		ret = wk_uprobe_register(probe->program->inode, probe->offset, &probe->consumer,
					 &probe->handle);
	end_change(probe);
	return ret;
}

static void register_all(struct work_struct *work)
{
	struct wk_uprobes *uprobes = container_of(work, struct wk_uprobes, work);

	spin_lock(&lock);
	list_add(&uprobes->node, &all);
	spin_unlock(&lock);
	for (u32 i = 0; i < uprobes->nr && !uprobes->error; i++) {
		struct wk_uprobe *probe = &uprobes->list[i];

		uprobes->error = register_one(probe);
		if (uprobes->error)
			pr_err("%s: no uprobe at byte 0x%llx of %s: %d\n", uprobes->name,
			       probe->offset, probe->program->path, uprobes->error);
	}
}

/*
 * Leaves an uprobe where a task has died in advice as it is. Its program stays open, and weft.ko
 * loaded, until the next boot.
 */
static void lose(struct wk_uprobes *uprobes, struct wk_uprobe *probe)
{
	pr_warn("%s: a task has died in advice at byte 0x%llx of %s: the uprobe there stays, "
		"without advice, and the program cannot be woven any more\n",
		uprobes->name, probe->offset, probe->program->path);
	wk_program_condemn(probe->program);
	uprobes->lost = true;
}

static void unregister_one(struct wk_uprobes *uprobes, struct wk_uprobe *probe)
{
	if (!probe->handle.registered)
		return;
	begin_change(probe);
	if (holds_dead(probe))
		lose(uprobes, probe);
	else
		wk_uprobe_unregister(probe->program->inode, probe->offset, &probe->consumer,
				     &probe->handle);
	end_change(probe);
}

/*
 * Unregisters the uprobes. Where a task has died in a handler, no other handler can be waited for
 * in kernels in which all uprobes are waited for together. What is lost is never freed.
 */
static void unregister_all(struct work_struct *work)
{
	struct wk_uprobes *uprobes = container_of(work, struct wk_uprobes, work);

	synchronize_rcu(); /* afterwards none of its ->died changes any more: see on_hit() */
	for (u32 i = 0; i < uprobes->nr; i++)
		unregister_one(uprobes, &uprobes->list[i]);
	if (WK_UPROBE_WAITS && READ_ONCE(wk_user_any_died))
		uprobes->lost = true;
	else
		wk_uprobe_wait();
	spin_lock(&lock);
	if (uprobes->lost)
		__module_get(THIS_MODULE);
	else
		list_del_init(&uprobes->node);
	spin_unlock(&lock);
	for (u32 i = 0; i < uprobes->nr_programs; i++)
		wk_program_close(&uprobes->programs[i]);
	smp_store_release(&uprobes->out, true);
}

static void start_work(struct wk_uprobes *uprobes, work_func_t function)
{
	INIT_WORK(&uprobes->work, function);
	queue_work(queue, &uprobes->work);
}

int __init wk_uprobes_init(void)
{
	queue = alloc_workqueue("weft-uprobes", WQ_UNBOUND, 0);
	return queue ? 0 : -ENOMEM;
}

void wk_uprobes_deinit(void)
{
	destroy_workqueue(queue);
}

/* ---- beginning and ending -------------------------------------------------------------------- */

static void free_all(struct wk_uprobes *uprobes)
{
	if (uprobes->lost)
		return;
	kvfree(uprobes->programs);
	kvfree(uprobes->list);
	kvfree(uprobes->attachments);
	kfree(uprobes);
}

static int fill_and_register(struct wk_uprobes *uprobes, u32 n)
{
	const struct weft_aspect *module = uprobes->of.module;
	int ret;

	uprobes->programs = kvcalloc(module->header->nr_parts, sizeof(*uprobes->programs),
				     GFP_KERNEL);
	uprobes->list = kvcalloc(n, sizeof(*uprobes->list), GFP_KERNEL);
	uprobes->attachments = kvcalloc(n, sizeof(*uprobes->attachments), GFP_KERNEL);
	if (!uprobes->programs || !uprobes->list || !uprobes->attachments)
		return -ENOMEM;
	uprobes->nr_programs = module->header->nr_parts;
	ret = open_programs(uprobes);
	for (u32 i = 0; i < module->header->nr_joinpoints && !ret; i++)
		if (is_wanted(module, &module->joinpoints[i]))
			ret = add(uprobes, i);
	if (ret)
		return ret;
	start_work(uprobes, register_all);
	flush_work(&uprobes->work);
	return uprobes->error;
}

int wk_uprobes_make(const struct wk_uprobes_of *of, struct wk_uprobes **ret)
{
	struct wk_uprobes *uprobes = kzalloc(sizeof(*uprobes), GFP_KERNEL);
	int err;

	*ret = NULL;
	if (!uprobes)
		return -ENOMEM;
	INIT_LIST_HEAD(&uprobes->node);
	uprobes->of = *of;
	uprobes->timed = has_times(of);
	strscpy(uprobes->name, of->module->header->name, sizeof(uprobes->name));
	err = fill_and_register(uprobes, count_wanted(of->module));
	if (err)
		wk_uprobes_undo(uprobes);
	else
		*ret = uprobes;
	return err;
}

void wk_uprobes_undo(struct wk_uprobes *uprobes)
{
	start_work(uprobes, unregister_all);
	flush_work(&uprobes->work);
	free_all(uprobes);
}

void wk_uprobes_open(struct wk_uprobes *uprobes)
{
	wk_assert_locked();
	if (uprobes)
		WRITE_ONCE(uprobes->open, true);
}

u32 wk_uprobes_close(struct wk_uprobes *uprobes)
{
	u32 n = wk_uprobes_count(uprobes);

	wk_assert_locked();
	if (!uprobes)
		return 0;
	uprobes->closed = true;
	WRITE_ONCE(uprobes->open, false);
	start_work(uprobes, unregister_all);
	return n;
}

bool wk_uprobes_are_out(const struct wk_uprobes *uprobes)
{
	return !uprobes || smp_load_acquire(&uprobes->out);
}

void wk_uprobes_free(struct wk_uprobes **uprobes)
{
	wk_assert_locked();
	if (*uprobes)
		free_all(*uprobes);
	*uprobes = NULL;
}

u32 wk_uprobes_count(const struct wk_uprobes *uprobes)
{
	return uprobes && !uprobes->closed ? uprobes->nr_attachments : 0;
}

bool wk_uprobes_has(const struct wk_uprobes *uprobes, u32 joinpoint)
{
	return uprobes && !uprobes->closed &&
	       is_wanted(uprobes->of.module, &uprobes->of.module->joinpoints[joinpoint]);
}
