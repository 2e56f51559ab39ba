/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * After-advice that runs where a call returns, if control also reaches that address without the
 * call (by a branch, for example). The advice must run only after the call. So the call's
 * trampoline notes the call before it makes it (WEFT_CALLING), and the trampoline at the return
 * address runs the advice only if the call was noted (runtime/call-table.h). The call itself is
 * made as in every trampoline: it leaves the original return address on the stack.
 *
 * A call is noted only while the advice that needs the note is in the text and not skipped. Then
 * each call that returns uses up its note, and no old note is left for control that reaches the
 * return address in another way.
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
 * Notes the call at @shadow, a member of a struct wk_attachment. Called by trampolines, in any
 * context. @sp: the stack pointer at the call. False: the table has no room.
 */
bool wk_calls_note(const struct weft_shadow *shadow, unsigned long sp);

/*
 * Returns whether the call of @shadow was noted, and forgets the note. Called by trampolines before
 * the advice at the call's return address, in any context. @sp: the stack pointer there.
 */
bool wk_calls_take(const struct weft_shadow *shadow, unsigned long sp);

/*
 * Begins to note calls. Called when all @attachments are in the text, and those that are not
 * ->closed run. Calls of closed attachments are not noted. Under wk_mutex.
 */
void wk_calls_begin(const struct list_head *attachments);

#endif /* WK_NOTED_CALLS_H */
