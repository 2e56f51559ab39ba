/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The checking mode (WEFT_WEAVE_BALANCE) finds advice that does not give back what it takes of the
 * context that it runs in: preemption, interrupts, RCU read sections, locks and the like. In this
 * mode trampolines call wk_checked_advice() instead of the advice. That function calls the advice,
 * compares the context before and after it, restores the context as far as possible, and notes a
 * difference as a fault (fault.h). The first such fault is reported, and the aspect is unwoven.
 *
 * In all other weaves trampolines call the advice itself, so they pay nothing for the check.
 */
#ifndef WK_BALANCE_H
#define WK_BALANCE_H

struct weft_frame;
struct weft_shadow;

/*
 * Calls the advice of @shadow, which is a member of a struct wk_attachment, and checks its context.
 * Any context that advice may run in. This function must never change a register that C functions
 * preserve, not even for a while: after a fault in the advice, execution goes on in the trampoline
 * without returning through this function (splice/leave.h), so nobody would restore the register.
 */
void wk_checked_advice(struct weft_frame *frame, const struct weft_shadow *shadow);

#endif /* WK_BALANCE_H */
