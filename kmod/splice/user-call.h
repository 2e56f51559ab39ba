/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls advice at a joinpoint in a program. No trampoline calls it there: the handler of an uprobe
 * does. If the advice faults, it is ended, and execution goes on after the call (leave.h).
 */
#ifndef WK_USER_CALL_H
#define WK_USER_CALL_H

struct weft_frame;
struct weft_shadow;
struct wk_attachment;

/*
 * Calls the advice of @attachment, unless advice runs on this CPU already; counts a hit or a miss.
 * In a task, with preemption off, and interrupts on.
 */
void wk_user_call(struct wk_attachment *attachment, struct weft_frame *frame,
		  const struct weft_shadow *shadow);

/*
 * Returns the attachment whose advice wk_user_call() is calling on this CPU, if @ip is the return
 * address of that advice; else NULL. Any context.
 */
struct wk_attachment *wk_user_call_at(unsigned long ip);

int wk_user_call_init(void);

#endif /* WK_USER_CALL_H */
