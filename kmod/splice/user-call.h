/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls advice at a joinpoint in a program. No trampoline calls it there: the handler of an uprobe
 * does. If the advice faults, it is ended, and execution goes on after the call (leave.h).
 */
#ifndef WK_USER_CALL_H
#define WK_USER_CALL_H

#include <linux/percpu.h>
#include <linux/preempt.h>

#include "runtime/advice.h"
#include "splice/platform.h"
#include "splice/splice.h"

/*
 * Advice that is running on a CPU. Such advice runs in tasks only, with preemption off, so there is
 * at most one.
 */
struct wk_user_running {
	struct wk_attachment *attachment; /* NULL: none is running */
	bool left;			  /* the advice was left after a fault */
};

DECLARE_PER_CPU(struct wk_user_running, wk_user_running);

/* Has any task died in advice in a program since weft.ko was loaded? Set by WRITE_ONCE(). */
extern bool wk_user_any_died;

/* Calls @advice, and does nothing else. For wk_user_call(). */
void wk_user_call_advice(const struct weft_frame *frame, const struct weft_shadow *shadow,
			 weft_entry advice);

/*
 * Gives back what advice that was left after a fault still holds, as far as the kernel counts it:
 * RCU read sections and disabled page faults. For wk_user_call().
 */
void wk_user_call_tidy(void);

/* Counts a hit of @attachment, which has no advice. With preemption off. */
static __always_inline void wk_user_count(const struct wk_attachment *attachment)
{
	if (attachment->count)
		this_cpu_inc(*(u64 __percpu *)attachment->count);
	else
		this_cpu_inc(attachment->stats->hits);
}

/*
 * Calls the advice of @attachment, which has one, unless advice runs on this CPU already; counts a
 * hit or a miss. The caller is the handler of an uprobe, in task context, and has disabled
 * preemption. If the task dies of an oops in the advice, this function never returns, and
 * @attachment->died is set.
 */
static __always_inline void wk_user_call(struct wk_attachment *attachment,
					 const struct weft_frame *frame,
					 const struct weft_shadow *shadow)
{
	if (this_cpu_read(wk_guard) != WR_GUARD_IDLE) {
		this_cpu_inc(attachment->stats->missed);
		return;
	}
	wk_guard_take();
	this_cpu_write(wk_user_running.attachment, attachment);
	this_cpu_inc(attachment->stats->hits);
	wk_user_call_advice(frame, shadow, (weft_entry)attachment->advice);
	if (unlikely(this_cpu_read(wk_user_running.left)))
		wk_user_call_tidy();
	this_cpu_write(wk_user_running.attachment, NULL);
	wk_guard_give_back(WR_GUARD_IDLE);
}

/*
 * Returns the attachment whose advice wk_user_call() is calling on this CPU, if @ip is the return
 * address of that advice; else NULL. Any context.
 */
struct wk_attachment *wk_user_call_at(unsigned long ip);

/*
 * Notes that advice was left after a fault, so that its caller goes on at @ip. Does nothing if the
 * caller is not wk_user_call(). In the context of the fault.
 */
void wk_user_call_left(unsigned long ip);

/*
 * Forgets the advice that wk_user_call() is calling on this CPU: the current task, which is in it,
 * dies by an oops. Does nothing if there is none. With preemption off.
 */
void wk_user_call_abandon(void);

/* Returns 0, or -ENOENT if the kernel does not know the size of weft.ko's functions. */
int wk_user_call_init(void);

#endif /* WK_USER_CALL_H */
