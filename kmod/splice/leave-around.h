/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaves around-advice in the middle, after a fault or at the end of its budget.
 *
 * Around-advice is a function of the aspect's module in the place of the function at the joinpoint
 * (runtime/around.h). The kernel's unwinder finds where that function was called: the stack pointer
 * with the return address, and the frame pointer. The other registers that C functions preserve
 * still have their values, since code of aspects never changes them. What else is needed is in the
 * execution's struct wr_execution, in the stack frame of the function. So two things can be done
 * there in place of the rest of the advice:
 * - if the advice has not called the original function: run that, with the arguments of the hit, as
 *   if the advice was not there;
 * - if it has: return what the original function has returned.
 */
#ifndef WK_LEAVE_AROUND_H
#define WK_LEAVE_AROUND_H

#include <linux/types.h>

struct pt_regs;
struct weft_aspect;
struct weft_around;
struct weft_stats;
struct wr_execution;

/* A function of around-advice that has a struct wr_execution on its stack. */
struct wk_around_function {
	unsigned long start, size; /* live address, and bytes */
	/* bytes up to the instruction from which on an execution is running; see WR_ENTER() */
	unsigned long entered;
	/* bytes from the struct wr_execution to the end of the frame: after the return address */
	unsigned long distance;
	struct weft_around *around;
};

/* The functions of an aspect's around-advice. */
struct wk_arounds {
	struct hlist_node node; /* on the list of those that are woven or retiring */
	struct wk_around_function *all; /* array of ->nr elements */
	unsigned int nr;
};

/*
 * wk_arounds_watch() finds the functions of @module's around-advice, and where in their frames the
 * execution is. It is called before the first hit of a weave. A function for which it fails cannot
 * be left: a fault in it is an oops, as without weft. That holds for all of them if memory is
 * short; the log says so. wk_arounds_forget() is called when nobody is inside any more. Process
 * context, may sleep; under wk_mutex.
 */
void wk_arounds_watch(struct wk_arounds *arounds, const struct weft_aspect *module);
void wk_arounds_forget(struct wk_arounds *arounds);

/* Is around-advice's own code running in any context of the current task? Any context. */
bool wk_around_may(void);

/*
 * Returns whether the current task runs the own code of around-advice in the context that was
 * interrupted. @preempts: by how much handlers have raised the preemption count since. Any context.
 */
bool wk_around_runs(int preempts);

/*
 * Returns whether @ip is in a function of around-advice. If so, sets *@around_ret, and
 * *@execution_ret to the execution. @end: where the function's frame ends, which is the stack
 * pointer after it returns. @regs: NULL if the function has called another one. Otherwise the
 * registers of the code that was interrupted at @ip; then *@execution_ret is NULL where the
 * execution has not begun or is not on the stack any more. Any context, under rcu_read_lock().
 */
bool wk_around_at(unsigned long ip, const struct pt_regs *regs, unsigned long end,
		  struct weft_around **around_ret, struct wr_execution **execution_ret);

/*
 * Changes @regs so that what is said at the top happens, and gives back the task's bit. The stack
 * pointer and the frame pointer in @regs must be those at the entry of the function. Interrupts are
 * switched on if the advice has switched them off by a function that notes this. @stats: those of
 * the aspect. @preempts: see wk_around_runs().
 */
void wk_around_leave(struct pt_regs *regs, const struct weft_around *around,
		     const struct wr_execution *execution, struct weft_stats __percpu *stats,
		     int preempts);

#endif /* WK_LEAVE_AROUND_H */
