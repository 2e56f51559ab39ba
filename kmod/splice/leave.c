// SPDX-License-Identifier: GPL-2.0-or-later
/* Leaves advice from the middle; see leave.h. */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/uaccess.h>
#include <asm/processor-flags.h>
#include <asm/unwind.h>

#include "runtime/frame.h"
#include "runtime/trampoline.h"
#include "splice/block-call.h"
#include "splice/entry-close.h"
#include "splice/exec-mem.h"
#include "splice/kprobe-slot.h"
#include "splice/module-tables.h"
#include "splice/leave.h"
#include "splice/platform.h"
#include "splice/splice.h"
#include "splice/user-call.h"

bool wk_leave_supported(void)
{
	return IS_ENABLED(CONFIG_UNWINDER_ORC);
}

/*
 * If @ip in a trampoline is the return address of a call of advice, returns the attachment of that
 * advice; otherwise NULL. The trampoline's code before the call holds the attachment's address.
 * Since @ip may be any number, the address is then checked: the call must go to the attachment's
 * own entry.
 */
static struct wk_attachment *attachment_of(unsigned long ip)
{
	const struct wk_exec_mem *memory = wk_exec_mem_at(ip);
	struct wk_attachment *attachment;
	unsigned long entry, shadow;
	u8 code[WR_TRAMPOLINE_CALL];
	s32 distance;

	if (!memory || ip - (unsigned long)memory->base < sizeof(code))
		return NULL;
	/*
	 * The memory is read in a way that cannot fault. @ip may be any word on the stack, and a
	 * trampoline that nothing runs may be freed just now.
	 */
	if (copy_from_kernel_nofault(code, (void *)(ip - sizeof(code)), sizeof(code)))
		return NULL;
	shadow = wr_trampoline_shadow(code + sizeof(code));
	if (!shadow)
		return NULL;
	attachment = container_of((struct weft_shadow *)shadow, struct wk_attachment, shadow);
	if (copy_from_kernel_nofault(&entry, &attachment->entry, sizeof(entry)))
		return NULL;
	memcpy(&distance, code + sizeof(code) - sizeof(distance), sizeof(distance));
	return ip + distance == entry ? attachment : NULL;
}

/*
 * Returns whether @ip is the return address of advice or of a block. If so, sets the members of
 * @ret that identify the advice or block.
 */
static bool find_caller(unsigned long ip, struct wk_leave *ret)
{
	ret->attachment = attachment_of(ip);
	if (!ret->attachment)
		ret->attachment = wk_user_call_at(ip);
	if (ret->attachment) {
		ret->module = ret->attachment->module;
		ret->fault = ret->attachment->fault;
		return true;
	}
	ret->block = wk_block_call_at(ip);
	if (ret->block) {
		ret->module = ret->block->module;
		ret->fault = ret->block->fault;
	}
	return ret->block != NULL;
}

#ifdef CONFIG_UNWINDER_ORC

/* Can all pages of the stack at @begin be read? */
static bool is_mapped(unsigned long begin)
{
	unsigned long word;

	for (unsigned long page = begin; page < begin + THREAD_SIZE; page += PAGE_SIZE)
		if (copy_from_kernel_nofault(&word, (void *)page, sizeof(word)))
			return false;
	return true;
}

/*
 * Begins to unwind at @regs. In the middle of a task switch, %rsp is already on the stack of the
 * next task, while current is still the previous task. The unwinder accepts only the stacks of
 * current, and refuses to begin there. So this function then sets the unwinder's state up itself,
 * with the stack that %rsp is in.
 */
static void start(struct unwind_state *state, struct pt_regs *regs)
{
	unsigned long begin = regs->sp & ~(THREAD_SIZE - 1);

	unwind_start(state, current, regs, NULL);
	if (state->stack_info.type != STACK_TYPE_UNKNOWN || !is_mapped(begin))
		return;
	*state = (struct unwind_state){ .task = current,
					.ip = regs->ip,
					.sp = regs->sp,
					.bp = regs->bp,
					.regs = regs,
					.full_regs = true,
					.signal = true,
					.stack_info = { .type = STACK_TYPE_TASK,
							.begin = (void *)begin,
							.end = (void *)(begin + THREAD_SIZE) },
					.stack_mask = BIT(STACK_TYPE_TASK) };
	unwind_next_frame(state);
}

/*
 * Walks up the call stack from @regs to the first return address of advice or of a block; returns
 * false if there is none. Stops at the registers of another exception or interrupt: if code in an
 * interrupt faults, the advice that was interrupted is not to blame.
 */
static bool walk(struct pt_regs *regs, struct wk_leave *ret)
{
	struct unwind_state state;
	unsigned long word;

	for (start(&state, regs);
	     !unwind_done(&state) && !state.regs && ret->nr < WK_LEAVE_DEPTH;
	     unwind_next_frame(&state)) {
		/*
		 * A kretprobe or the function graph tracer replaces a return address on the stack
		 * by its own, and expects the function to return there; so the advice must not be
		 * left. The unwinder gives the original address, which then differs from the one on
		 * the stack.
		 */
		if (state.ip != regs->ip &&
		    (copy_from_kernel_nofault(&word, (void *)(state.sp - sizeof(word)),
					      sizeof(word)) || word != state.ip))
			ret->traced = true;
		if (find_caller(state.ip, ret)) {
			ret->ip = state.ip;
			ret->sp = state.sp;
			ret->bp = state.bp;
			return true;
		}
		ret->frames[ret->nr++] = state.ip;
	}
	return false;
}

#else

static bool walk(struct pt_regs *regs, struct wk_leave *ret)
{
	return false;
}

#endif

/*
 * Sets ->inner, and ->possible: whether the advice or block can be left. It can be left only if all
 * registers are known at the place where its caller goes on: if each function of the call stack is
 * the aspect's own, or one of the kernel's that the module lists as leavable. All frames except the
 * first are return addresses. Such an address may be the start of the next function, so 1 is
 * subtracted from it.
 */
static void judge(struct wk_leave *leave, bool fetch)
{
	const struct weft_aspect *module = leave->module;
	/* The last frame may be that of wk_checked_advice(), which is compiled as aspects are. */
	bool checked = leave->attachment &&
		       leave->attachment->entry != wk_entry_after_endbr(leave->attachment->advice);
	unsigned int first = fetch ? 1 : 0;

	leave->possible = !leave->traced;
	leave->inner = leave->nr;
	for (unsigned int i = leave->nr - checked; i-- > first;) {
		if (within_module_core(leave->frames[i], module->module))
			leave->inner = i;
		else if (!wk_module_is_leavable(module, leave->frames[i] - (i ? 1 : 0)))
			leave->possible = false;
	}
}

/*
 * Called if the processor could not fetch an instruction, because of a jump to a wild address.
 * Returns whether that jump was a tail call of the advice or block itself. In that case the return
 * address on the stack is the one where the advice or block returns to.
 */
static bool returns_to_caller(const struct pt_regs *from, struct wk_leave *ret)
{
	ret->ip = from->ip;
	ret->sp = from->sp;
	ret->bp = from->bp;
	return find_caller(from->ip, ret);
}

bool wk_leave_may(void)
{
	return this_cpu_read(wk_guard) != WR_GUARD_IDLE || atomic_read(&wk_blocks_running);
}

/*
 * As wk_leave_find(), but leaves ->inner and ->possible to judge(). Under rcu_read_lock(), which
 * protects kprobes, trampoline memory and blocks.
 */
static bool find(const struct pt_regs *regs, bool fetch, struct wk_leave *ret)
{
	struct pt_regs from = *regs;

	from.ip = wk_kprobe_original(regs->ip);
	ret->frames[0] = from.ip;
	ret->traced = false;
	ret->nr = 1;
	if (fetch) {
		/* If a call led to the wild address, it has pushed its return address. */
		if (copy_from_kernel_nofault(&from.ip, (void *)from.sp, sizeof(from.ip)))
			return false;
		from.sp += sizeof(from.ip);
		if (returns_to_caller(&from, ret))
			return true;
		/* The unwinder has to start at the call itself, not after it. */
		ret->frames[ret->nr++] = from.ip--;
	}
	return walk(&from, ret);
}

bool wk_leave_find(const struct pt_regs *regs, bool fetch, struct wk_leave *ret)
{
	bool found;

	if (!wk_leave_may())
		return false;
	rcu_read_lock();
	found = find(regs, fetch, ret);
	rcu_read_unlock();
	if (found)
		judge(ret, fetch);
	return found;
}

int wk_leave(struct pt_regs *regs, const struct wk_leave *leave, int preempts)
{
	long count = leave->block ? leave->block->preempts : this_cpu_read(wk_guard);
	int entered = count & ~PREEMPT_NEED_RESCHED;
	int excess = preempt_count() - preempts - entered;

	if (IS_ENABLED(CONFIG_PREEMPT_COUNT) && excess)
		__preempt_count_sub(excess);
	regs->ip = leave->ip;
	regs->sp = leave->sp;
	regs->bp = leave->bp;
	regs->flags &= ~(X86_EFLAGS_DF | X86_EFLAGS_AC);
	if (this_cpu_read(wk_guard) & WR_GUARD_INTERRUPTS)
		regs->flags |= X86_EFLAGS_IF;
	if (leave->block) {
		WRITE_ONCE(leave->block->left, true);
		regs->flags |= X86_EFLAGS_IF;
		regs->ax = -EFAULT;
	}
	return IS_ENABLED(CONFIG_PREEMPT_COUNT) ? excess : 0;
}

void wk_leave_guard(void)
{
	this_cpu_write(wk_guard, WR_GUARD_IDLE);
}
