/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaves advice in the middle, after a fault: makes execution go on in the trampoline, after the
 * call of the advice.
 *
 * A trampoline calls advice by a plain call. Before, it has saved the registers that C may change
 * and that the kernel needs after the hit (runtime/trampoline.h). So to leave advice is to do what
 * the return of that call would do. The return address and the values of %rsp and %rbp there are
 * found by the kernel's unwinder. The other registers that C functions preserve still have the
 * values that they had at the call, since aspects are compiled so that they never change them
 * (weaver/module/kbuild.c). That holds only if every function between the fault and the call is the
 * aspect's own, or a function of the kernel that leaves these registers alone; the aspect's module
 * lists the latter (module-tables.h).
 *
 * Start and end blocks are left in the same way, and so is advice at joinpoints in programs. Their
 * callers are functions of weft.ko (block-call.h, user-call.h). No trampoline calls around-advice;
 * leave-around.h says how it is left.
 */
#ifndef WK_LEAVE_H
#define WK_LEAVE_H

#include <linux/types.h>

struct pt_regs;
struct weft_around;
struct weft_aspect;
struct wk_attachment;
struct wk_block_call;
struct wk_fault;
struct wr_execution;

enum { WK_LEAVE_DEPTH = 32, WK_LEAVE_PASSED = 4 };

/* The call stack from a fault to the call of the advice or block that faults. Live addresses. */
struct wk_leave {
	/*
	 * the attachment of the advice that is running; NULL: a start or end block is running,
	 * @block
	 */
	struct wk_attachment *attachment;
	struct wk_block_call *block;
	/* of around-advice (leave-around.h), and its execution, on the stack; else NULL */
	struct weft_around *around;
	struct wr_execution *execution;
	/* the aspect's module that the advice or block belongs to */
	const struct weft_aspect *module;
	struct wk_fault *fault; /* fault state of the aspect (fault.h); opaque here */
	/*
	 * where the caller of the advice or block goes on, and %rsp and %rbp there. The caller of
	 * around-advice is that of the function in whose place it runs
	 */
	unsigned long ip, sp, bp;
	/*
	 * frames[0] is the address of the fault; it is not in text if the advice has jumped to a
	 * wild address. The other elements are the return addresses from there outwards, up to that
	 * of the function that the advice or block itself called: ->ip, where the advice or block
	 * returns to, is not among them
	 */
	unsigned long frames[WK_LEAVE_DEPTH];
	unsigned int nr;
	/* index in ->frames of the innermost frame in the aspect's code; ->nr: there is none */
	unsigned int inner;
	bool traced; /* the return address of a function in between was replaced by a tracer */
	/*
	 * entries of around-advice on the call stack in which no advice runs: an entry runs the
	 * original function, or is at its own beginning or end (->entering). ->passed lists the
	 * around-advice of the first WK_LEAVE_PASSED of them; ->nr_passed counts all. Bit i of
	 * ->passed_frames: frames[i] is in an entry that misses its execution
	 */
	struct weft_around *passed[WK_LEAVE_PASSED];
	unsigned int nr_passed;
	u32 passed_frames;
	bool entering;
	/* all registers are known at ->ip: the advice can be left */
	bool possible;
};

/* Can advice be left in this kernel? */
bool wk_leave_supported(void);

/*
 * Returns whether advice or a block may be running on this CPU, so that a fault may belong to it.
 * Any context; costs two loads.
 */
bool wk_leave_may(void);

/*
 * Finds the advice of this CPU and context, or the block, that was running at a fault with
 * registers @regs; returns false if none was. Any context; takes no lock. @fetch: the fault was at
 * fetching the instruction at regs->ip, so that nothing of the instruction has run. @preempts: by
 * how much the handlers of the fault have raised the preemption count themselves.
 */
bool wk_leave_find(const struct pt_regs *regs, bool fetch, int preempts, struct wk_leave *ret);

/*
 * Changes @regs so that the caller of the advice or block goes on as if the advice or block had
 * returned; a block returns -EFAULT. leave-around.h says what comes in place of the rest of
 * around-advice. Sets the preemption count to wk_leave_count(), and returns by how much the advice
 * or block had changed it. @preempts: see wk_leave_find(). Interrupts are switched on after a
 * block, and after advice if they are known to have been on at the hit; otherwise they stay as
 * they are.
 */
int wk_leave(struct pt_regs *regs, const struct wk_leave *leave, int preempts);

/*
 * Returns the preemption count with which the caller of the advice or block of @leave goes on: the
 * count at the call. If around-advice has called the original function, the count after that call.
 */
int wk_leave_count(const struct wk_leave *leave);

/*
 * Gives the nesting guard back for a task that dies in advice; afterwards, advice runs on this CPU
 * again. Called in the context of that task.
 */
void wk_leave_guard(void);

/*
 * Counts the executions of around-advice on the stack of the current task, which dies of a fault
 * with registers @regs, as ended: none of them goes on. Any context but an NMI.
 */
void wk_leave_abandon(const struct pt_regs *regs);

#endif /* WK_LEAVE_H */
