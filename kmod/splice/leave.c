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

#include "runtime/advice.h"
#include "runtime/trampoline.h"
#include "splice/block-call.h"
#include "splice/entry-close.h"
#include "splice/exec-mem.h"
#include "splice/kprobe-slot.h"
#include "splice/module-tables.h"
#include "splice/leave-around.h"
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

static void name_aspect(struct wk_leave *leave)
{
	leave->module = leave->attachment->module;
	leave->fault = leave->attachment->fault;
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
		name_aspect(ret);
		return true;
	}
	ret->block = wk_block_call_at(ip);
	if (ret->block) {
		ret->module = ret->block->module;
		ret->fault = ret->block->fault;
	}
	return ret->block != NULL;
}

static const struct weft_aspect *module_of(const struct weft_around *around)
{
	return container_of((struct weft_shadow *)around->shadow, struct wk_attachment, shadow)
		->module;
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
 * Returns whether the return address right below the stack pointer is not the one that the unwinder
 * reports. Then a kretprobe or the function graph tracer has replaced it by its own, and expects
 * the function to return there; so the function must not be left.
 */
static bool is_traced(const struct unwind_state *state)
{
	unsigned long word;

	return copy_from_kernel_nofault(&word, (void *)(state->sp - sizeof(word)), sizeof(word)) ||
	       word != state->ip;
}

/*
 * In wr_execution.begin: the execution has ended because its task dies. No execution begins with
 * this value.
 */
#define ABANDONED (WR_MISSED - 1)

/*
 * Counts the executions of around-advice on the stack from @regs on as ended; each once, although a
 * task that dies may fault again.
 */
static void abandon(struct pt_regs *regs)
{
	const struct pt_regs *at = regs; /* of @ip; NULL: @ip is in a function that has called */
	unsigned long ip = regs->ip; /* in the function that returns to state.ip */
	struct unwind_state state;

	for (start(&state, regs); !unwind_done(&state); unwind_next_frame(&state)) {
		struct wr_execution *execution;
		struct weft_around *around;

		if (!state.regs && wk_around_at(ip, at, state.sp, &around, &execution) &&
		    execution && execution->begin != ABANDONED) {
			execution->begin = ABANDONED;
			this_cpu_inc(module_of(around)->stats->ended);
		}
		at = state.regs;
		ip = state.regs ? state.ip : state.ip - 1;
	}
}

/*
 * Returns whether @ip is in around-advice that may be running the code where walk() has begun, and
 * sets the members of @ret that identify it. @ip, @regs, @end: see wk_around_at(). @around: such
 * advice is running.
 *
 * Entries of around-advice may also be on the stack without running advice: the function runs
 * there, since the execution was missed, or, if a block has called it, in weft_proceed(). They are
 * noted in @ret, and end when the advice or block is left that has called them.
 *
 * But no advice is left from the beginning or the end of such an entry, where the execution may or
 * may not have been counted (->entering): a tick tries again later, and nothing faults there. If
 * advice has called an entry, that will miss the execution, so one that does not say so yet is at
 * its beginning. With @around it is taken for one that runs: as it has just begun, it has used up
 * no time, and is not left either.
 */
static bool find_around(unsigned long ip, const struct pt_regs *regs, unsigned long end,
			bool around, struct wk_leave *ret)
{
	struct wr_execution *execution;
	struct weft_around *at;

	if (!wk_around_at(ip, regs, end, &at, &execution))
		return false;
	if (execution && around && execution->begin != WR_MISSED && execution->begin != ABANDONED) {
		ret->around = at;
		ret->execution = execution;
		ret->attachment = container_of((struct weft_shadow *)at->shadow,
					       struct wk_attachment, shadow);
		name_aspect(ret);
		return true;
	}
	/* An entry that misses an execution was called by another one, weft_around_most_K(). */
	if (!regs && execution->begin == WR_MISSED)
		ret->passed_frames |= 3u << (ret->nr - 1);
	else
		ret->entering = true;
	if (ret->nr_passed++ < WK_LEAVE_PASSED)
		ret->passed[ret->nr_passed - 1] = at;
	return false;
}

/*
 * Walks up the call stack from @regs to the first return address of advice or of a block, or to the
 * first function of around-advice if @around; returns false if there is none. Stops at the
 * registers of another exception or interrupt: if code in an interrupt faults, the advice that was
 * interrupted is not to blame. The return address of around-advice itself may be a tracer's: it is
 * that of the function in whose place the advice runs, and will be used once.
 */
static bool walk(struct pt_regs *regs, bool around, struct wk_leave *ret)
{
	const struct pt_regs *at = regs; /* of @ip; NULL: @ip is in a function that has called */
	unsigned long ip = regs->ip; /* in the function that returns to state.ip */
	struct unwind_state state;
	bool found = false;

	for (start(&state, regs);
	     !unwind_done(&state) && !state.regs && ret->nr < WK_LEAVE_DEPTH;
	     unwind_next_frame(&state)) {
		if (find_around(ip, at, state.sp, around, ret)) {
			found = true;
		} else {
			if (state.ip != regs->ip && is_traced(&state))
				ret->traced = true;
			found = find_caller(state.ip, ret);
		}
		if (found) {
			ret->ip = state.ip;
			ret->sp = state.sp;
			ret->bp = state.bp;
			return true;
		}
		ret->frames[ret->nr++] = state.ip;
		ip = state.ip - 1;
		at = NULL;
	}
	return false;
}

#else

static void abandon(struct pt_regs *regs)
{
}

static bool walk(struct pt_regs *regs, bool around, struct wk_leave *ret)
{
	return false;
}

#endif

/*
 * Sets ->inner, and ->possible: whether the advice or block can be left. It can be left only if all
 * registers are known at the place where its caller goes on: if each function of the call stack is
 * the aspect's own, the entry of an aspect's around-advice, or one of the kernel's that the module
 * lists as leavable. All frames except the first are return addresses. Such an address may be the
 * start of the next function, so 1 is subtracted from it.
 */
static void judge(struct wk_leave *leave, bool fetch)
{
	const struct weft_aspect *module = leave->module;
	/* The last frame may be that of wk_checked_advice(), which is compiled as aspects are. */
	bool checked = leave->attachment && !leave->around &&
		       leave->attachment->entry != wk_entry_after_endbr(leave->attachment->advice);
	unsigned int first = fetch ? 1 : 0;

	leave->possible = !leave->traced && leave->nr_passed <= WK_LEAVE_PASSED &&
			  (!leave->entering || leave->block);
	leave->inner = leave->nr;
	for (unsigned int i = leave->nr - checked; i-- > first;) {
		if (leave->passed_frames & BIT(i))
			continue;
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
	return this_cpu_read(wk_guard) != WR_GUARD_IDLE || atomic_read(&wk_blocks_running) ||
	       wk_around_may();
}

/*
 * As wk_leave_find(), but leaves ->inner and ->possible to judge(). Under rcu_read_lock(), which
 * protects kprobes, trampoline memory and blocks.
 */
static bool find(const struct pt_regs *regs, bool fetch, bool around, struct wk_leave *ret)
{
	struct pt_regs from = *regs;

	from.ip = wk_kprobe_original(regs->ip);
	ret->frames[0] = from.ip;
	ret->traced = ret->entering = false;
	ret->nr_passed = ret->passed_frames = 0;
	ret->around = NULL;
	ret->block = NULL;
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
	return walk(&from, around, ret);
}

bool wk_leave_find(const struct pt_regs *regs, bool fetch, int preempts, struct wk_leave *ret)
{
	bool found;

	if (!wk_leave_may())
		return false;
	rcu_read_lock();
	found = find(regs, fetch, wk_around_runs(preempts), ret);
	rcu_read_unlock();
	if (found)
		judge(ret, fetch);
	return found;
}

int wk_leave_count(const struct wk_leave *leave)
{
	const u32 counted = PREEMPT_MASK | SOFTIRQ_MASK | HARDIRQ_MASK | NMI_MASK;

	if (leave->block)
		return leave->block->preempts;
	if (leave->around)
		return leave->execution->preempts & counted;
	return this_cpu_read(wk_guard) & ~PREEMPT_NEED_RESCHED;
}

int wk_leave(struct pt_regs *regs, const struct wk_leave *leave, int preempts)
{
	int excess = preempt_count() - preempts - wk_leave_count(leave);

	if (IS_ENABLED(CONFIG_PREEMPT_COUNT) && excess)
		__preempt_count_sub(excess);
	for (unsigned int i = 0; i < leave->nr_passed; i++)
		this_cpu_inc(module_of(leave->passed[i])->stats->ended);
	regs->flags &= ~(X86_EFLAGS_DF | X86_EFLAGS_AC);
	regs->ip = leave->ip;
	regs->sp = leave->sp;
	regs->bp = leave->bp;
	if (leave->around) {
		regs->sp -= sizeof(regs->ip); /* at the entry the return address is on the stack */
		wk_around_leave(regs, leave->around, leave->execution, leave->module->stats,
				preempts);
	} else if (this_cpu_read(wk_guard) & WR_GUARD_INTERRUPTS) {
		regs->flags |= X86_EFLAGS_IF;
	}
	wk_user_call_left(leave->ip);
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

void wk_leave_abandon(const struct pt_regs *regs)
{
	struct pt_regs from = *regs;

	rcu_read_lock();
	abandon(&from);
	rcu_read_unlock();
}
