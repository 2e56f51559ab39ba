// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compares the context of a hit before and after its advice; see balance.h.
 *
 * Everything that is compared belongs to the current task or to this CPU, and an interrupt handler
 * restores what it changes of it. So if something differs after the advice, the advice has changed
 * it. Two things need more care, since others can change them as well:
 * - The task's state. Other tasks wake and freeze this one. Only if it has become interruptible or
 *   uninterruptible, which a task sets itself, does it count as changed by the advice.
 * - Words on the task's stack. Another CPU may write to a variable there, such as the pointers of a
 *   wait entry, but not to a return address. So only words that look like return addresses are
 *   compared.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/pagemap.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/fpu/api.h>
#include <asm/irqflags.h>
#include <asm/processor-flags.h>

#include "balance.h"
#include "base/unexported.h"
#include "fault.h"
#include "runtime/unbalanced.h"
#include "splice/platform.h"
#include "splice/splice.h"

/*
 * The flags of a task that memalloc_nofs_save() and similar functions set: until they are reset,
 * all allocations of the task are restricted or favoured.
 */
#define SCOPES (PF_MEMALLOC | PF_MEMALLOC_NOFS | PF_MEMALLOC_NOIO | PF_MEMALLOC_PIN)

/* Words of the interrupted stack that are compared, if the advice uses its address ($rsp). */
enum { STACK_WORDS = 16 };

/* What one memcmp() compares before and after the advice; so there must be no padding. */
struct context {
	unsigned long flags; /* the flags IF, AC and DF of rflags */
	int preempts;	     /* the preemption count, with softirqs, without NEED_RESCHED */
	int rcu, locks, page_faults, migrations; /* nesting depths */
	unsigned int scopes, state;
	int cpu;
};

struct watched {
	struct context context;
	bool fpu;		      /* irq_fpu_usable(), when .context was read */
	const unsigned long *stack;   /* the interrupted stack; NULL: not compared */
	/* copy of the stack's words; those that do not look like return addresses are 0 */
	unsigned long words[STACK_WORDS];
};

/* ---- reading the context --------------------------------------------------------------------- */

static int held_locks(void)
{
#ifdef CONFIG_LOCKDEP
	return current->lockdep_depth;
#else
	return 0;
#endif
}

/*
 * Reads rflags. Also clears the direction flag, which must not be set while the compiler's code
 * runs.
 */
static __always_inline unsigned long read_flags(void)
{
	unsigned long flags;

	asm volatile("pushfq; movq (%%rsp), %0; andq %1, (%%rsp); popfq"
		     : "=&r"(flags) : "i"(~X86_EFLAGS_DF) : "cc", "memory");
	return flags & (X86_EFLAGS_IF | X86_EFLAGS_AC | X86_EFLAGS_DF);
}

static void read_context(struct context *ret, unsigned long flags)
{
	ret->preempts = preempt_count();
	ret->flags = flags;
	ret->rcu = rcu_preempt_depth();
	ret->locks = held_locks();
	ret->page_faults = current->pagefault_disabled;
	ret->migrations = current->migration_disabled;
	ret->scopes = current->flags & SCOPES;
	ret->state = get_current_state();
	ret->cpu = raw_smp_processor_id();
}

/*
 * Returns whether the kernel may use the FPU here. It may not do so in an NMI, between
 * kernel_fpu_begin() and kernel_fpu_end(), or in an interrupt of code that has softirqs disabled.
 */
static bool fpu_is_free(void)
{
	return !in_nmi() && irq_fpu_usable();
}

static bool fpu_is_taken(const struct watched *before)
{
	return before->fpu && !fpu_is_free() &&
	       softirq_count() == (before->context.preempts & SOFTIRQ_MASK);
}

/* ---- watching the interrupted stack ---------------------------------------------------------- */

/* Is @word an address in the text of the kernel or of a module? Preemption is off. */
static bool is_text(unsigned long word)
{
	if (word >= MODULES_VADDR && word < MODULES_END)
		return wk_call(module_text_address)(word);
	return word >= wk_unexported.text && word < wk_unexported.etext;
}

/*
 * Returns whether @word, an address in text, comes right after a call, or after what a splice has
 * put over a call of five bytes.
 */
static bool is_after_call(unsigned long word)
{
	enum { CALL = 0xe8, JUMP = 0xe9, INT3 = 0xcc, RELATIVE = 5 };
	enum { GROUP5 = 0xff, REG_SHIFT = 3, REG_MASK = 7, REG_CALL = 2 };
	/* bytes of an indirect call without prefixes */
	static const u8 lengths[] = { 2, 3, 4, 6, 7 };
	u8 before[7]; /* as long as the longest call */
	const u8 *end = before + sizeof(before);

	if (copy_from_kernel_nofault(before, (void *)(word - sizeof(before)), sizeof(before)))
		return false;
	if (end[-RELATIVE] == CALL || end[-RELATIVE] == JUMP || end[-RELATIVE] == INT3)
		return true;
	for (unsigned int i = 0; i < ARRAY_SIZE(lengths); i++) {
		const u8 *code = end - lengths[i];

		if (code[0] == GROUP5 && (code[1] >> REG_SHIFT & REG_MASK) == REG_CALL)
			return true;
	}
	return false;
}

/*
 * Does @word look like a return address? The address of a function is none, even if the code before
 * it ends with a call.
 */
static bool is_return_address(unsigned long word)
{
	unsigned long size, offset;

	return is_text(word) && is_after_call(word) &&
	       wk_call(kallsyms_lookup_size_offset)(word, &size, &offset) && offset;
}

/* Reads the word at @at; returns 0 if it does not look like a return address. */
static unsigned long read_return_address(const unsigned long *at)
{
	unsigned long word;

	return get_kernel_nofault(word, at) || !is_return_address(word) ? 0 : word;
}

static void read_stack(struct watched *watched, const struct wk_attachment *attachment,
		       const struct weft_frame *frame)
{
	watched->stack = NULL;
	if (!(attachment->needs & WR_BIT(WR_RSP)))
		return;
	watched->stack = (const unsigned long *)frame->reg[WR_RSP];
	for (unsigned int i = 0; i < STACK_WORDS; i++)
		watched->words[i] = read_return_address(watched->stack + i);
}

/*
 * Restores return addresses that have changed. Returns WEFT_UNBALANCED_STACK if there was one, else
 * 0.
 */
static u32 restore_stack(const struct watched *watched)
{
	u32 what = 0;

	for (unsigned int i = 0; watched->stack && i < STACK_WORDS; i++) {
		if (!watched->words[i] || watched->words[i] == watched->stack[i])
			continue;
		WRITE_ONCE(*(unsigned long *)&watched->stack[i], watched->words[i]);
		what = WEFT_UNBALANCED_STACK;
	}
	return what;
}

/* ---- restoring what advice did not give back ------------------------------------------------- */

/*
 * Restores the FPU and the depth of RCU read sections. This must come before everything else is
 * restored, because kernel_fpu_end() and rcu_read_unlock() also change other parts of the context.
 * Returns what had to be restored, as flags WEFT_UNBALANCED_*; so do the functions below.
 */
static u32 restore_first(const struct watched *before)
{
	int depth = rcu_preempt_depth();
	u32 what = 0;

	if (fpu_is_taken(before)) {
		what |= WEFT_UNBALANCED_FPU;
		kernel_fpu_end();
	}
	if (depth != before->context.rcu)
		what |= WEFT_UNBALANCED_RCU;
	for (; depth > before->context.rcu; depth--)
		rcu_read_unlock();
	for (; depth < before->context.rcu; depth++)
		rcu_read_lock();
	return what;
}

static u32 restore_depths(const struct context *before, const struct context *after)
{
	u32 what = 0;

	if (after->page_faults != before->page_faults) {
		what |= WEFT_UNBALANCED_PAGE_FAULTS;
		current->pagefault_disabled = before->page_faults;
	}
	if (after->migrations != before->migrations)
		what |= WEFT_UNBALANCED_MIGRATION;
	for (int depth = after->migrations; depth > before->migrations; depth--)
		migrate_enable();
	for (int depth = after->migrations; depth < before->migrations; depth++)
		migrate_disable();
	return what;
}

static u32 restore_task(const struct context *before, const struct context *after)
{
	u32 what = 0;

	if (after->scopes != before->scopes) {
		what |= WEFT_UNBALANCED_ALLOCATION;
		current->flags = (current->flags & ~SCOPES) | before->scopes;
	}
	/*
	 * Only these two states are compared, since a task sets them itself. Other states are set
	 * by tasks that wake or freeze this one. The task becomes TASK_RUNNING, even if it had
	 * another state before the advice: if it was woken since, and got that state again, nobody
	 * would wake it once more.
	 */
	if (after->state & ~before->state & (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE)) {
		what |= WEFT_UNBALANCED_STATE;
		__set_current_state(TASK_RUNNING);
	}
	return what;
}

/*
 * Makes the preemption count what it was before the advice. Advice that has enabled preemption may
 * have been preempted and moved to another CPU. It then still holds the nesting guard of the first
 * CPU (wk_guard), so no advice would run there any more: this function frees that guard. Returns
 * what was changed, as flags WEFT_UNBALANCED_*.
 */
static u32 restore_preemption(const struct context *before, const struct context *after)
{
	int changed = after->preempts ^ before->preempts;
	u32 what = 0;

	if (after->cpu != before->cpu) {
		what |= WEFT_UNBALANCED_PREEMPTION;
		per_cpu(wk_guard, before->cpu) = WR_GUARD_IDLE;
	}
	if (changed & SOFTIRQ_MASK)
		what |= WEFT_UNBALANCED_SOFTIRQS;
	if (changed & PREEMPT_MASK)
		what |= WEFT_UNBALANCED_PREEMPTION;
	__preempt_count_sub(after->preempts - before->preempts);
	return what;
}

/*
 * Restores rflags. Before the advice, the trampoline has cleared the direction flag and AC, which
 * opens user memory; so if one of them is set, the advice has set it.
 */
static u32 restore_flags(const struct context *before, const struct context *after)
{
	u32 what = 0;

	if (after->flags & X86_EFLAGS_DF)
		what |= WEFT_UNBALANCED_DIRECTION;
	if (after->flags & X86_EFLAGS_AC) {
		what |= WEFT_UNBALANCED_USER_ACCESS;
		asm volatile("pushfq; andq %0, (%%rsp); popfq" ::"i"(~X86_EFLAGS_AC) : "cc",
			     "memory");
	}
	if ((before->flags ^ after->flags) & X86_EFLAGS_IF) {
		what |= WEFT_UNBALANCED_INTERRUPTS;
		if (before->flags & X86_EFLAGS_IF)
			local_irq_enable();
		else
			local_irq_disable();
	}
	return what;
}

/* ---- checking the advice of a hit ------------------------------------------------------------ */

static bool is_same(const struct watched *before, const struct context *after)
{
	struct context wanted = before->context;

	if (after->state == TASK_RUNNING)
		wanted.state = TASK_RUNNING;
	return !memcmp(after, &wanted, sizeof(wanted)) && !fpu_is_taken(before);
}

/*
 * Restores what the advice of @attachment did not give back, and notes that as a fault. @flags:
 * rflags after the advice.
 */
static noinline void give_back(struct wk_attachment *attachment, const struct watched *before,
			       u32 what, unsigned long flags)
{
	int preempts = preempt_count() - before->context.preempts;
	struct context after;

	what |= restore_first(before);
	read_context(&after, flags);
	what |= restore_depths(&before->context, &after);
	what |= restore_task(&before->context, &after);
	/*
	 * Preemption and interrupts come last. As soon as they are on again, the task may be
	 * preempted or interrupted, and by then everything else must be restored.
	 */
	what |= restore_preemption(&before->context, &after);
	if (after.locks != before->context.locks)
		what |= WEFT_UNBALANCED_LOCKS;
	wk_fault_unbalanced(attachment, what | restore_flags(&before->context, &after), preempts);
}

void wk_checked_advice(struct weft_frame *frame, const struct weft_shadow *shadow)
{
	struct wk_attachment *attachment =
		container_of((struct weft_shadow *)shadow, struct wk_attachment, shadow);
	struct context after;
	struct watched before;
	unsigned long flags;
	u32 what;

	/*
	 * The advice may still hold a lock that it took at an earlier hit, so it does not run
	 * again.
	 */
	if (unlikely(wk_fault_is_unbalanced(attachment->fault)))
		return;
	read_stack(&before, attachment, frame);
	before.fpu = fpu_is_free();
	read_context(&before.context, read_flags());
	((weft_entry)attachment->advice)(frame, shadow);
	flags = read_flags();
	read_context(&after, flags);
	what = restore_stack(&before);
	if (unlikely(what || !is_same(&before, &after)))
		give_back(attachment, &before, what, flags);
}
NOKPROBE_SYMBOL(wk_checked_advice);
