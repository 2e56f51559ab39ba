/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The checking mode (WEFT_WEAVE_BALANCE): checks whether advice gives back what it takes of the
 * context that it runs in. The trampolines of such a weave call wk_checked_advice() in the place of
 * the advice. This function compares the context before and after the advice, and notes a
 * difference as a fault (fault.h): the first one is reported, and the aspect is unwoven. The
 * context is restored as far as that is possible.
 *
 * Trampolines of other weaves call the advice itself, and pay nothing for the check.
 */
#ifndef WK_BALANCE_H
#define WK_BALANCE_H

struct weft_frame;
struct weft_shadow;

/*
 * Runs the advice of @shadow, which is a member of a struct wk_attachment. Any context, like
 * advice. Changes no register that C functions preserve, not even for a while, because a fault in
 * the advice is left (splice/leave.h) across the frame of this function.
 */
void wk_checked_advice(struct weft_frame *frame, const struct weft_shadow *shadow);

#endif /* WK_BALANCE_H */
