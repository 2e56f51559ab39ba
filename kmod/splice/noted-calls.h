/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * After-advice at return addresses that are also reached without the call. The call's trampoline
 * notes the call before it makes it (WEFT_CALLING), and the advice at the return address asks
 * whether that was noted (runtime/call-table.h). The call itself is as in every trampoline: what it
 * leaves on the stack is the original return address.
 *
 * A call is noted only while all that would ask for it is in the text and not skipped. So no note
 * is left behind by a call that has returned, and no later way to the return address finds one.
 */
#ifndef WK_NOTED_CALLS_H
#define WK_NOTED_CALLS_H

#include <linux/types.h>

struct list_head;
struct wk_account;
struct weft_shadow;
struct wr_noted_call;

/* A table of noted calls, charged to @account; NULL: memory is short. Freed by kvfree(). */
struct wr_noted_call *wk_calls_create(struct wk_account *account);

/*
 * Called by trampolines, in any context: notes the call at @shadow, a member of a struct
 * wk_attachment. @sp: its stack pointer. False: the table has no room.
 */
bool wk_calls_note(const struct weft_shadow *shadow, unsigned long sp);

/* The same before advice at a return address: did this call lead here? Then forgets the call. */
bool wk_calls_take(const struct weft_shadow *shadow, unsigned long sp);

/*
 * All @attachments are in the text, and those that are not .closed run: calls are noted from now
 * on. Attachments that were closed are not opened again. Under wk_mutex.
 */
void wk_calls_begin(const struct list_head *attachments);

#endif /* WK_NOTED_CALLS_H */
