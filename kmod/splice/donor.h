/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Springboards whose slot lies in a donor. A donor is a splice within reach whose displaced range
 * is long enough for its own jump and, after that, the springboard slot. It is a splice like any
 * other, even when it has no attachments. The order of writes: the donor is optimized, which writes
 * its jump and the slot; then the springboard's short jump is written. The donor stays in the text
 * until no task can be on the slot's jump any more. (These are GILK's local springboards: the
 * displaced block of "Dynamic Instrumentation for the Linux Kernel", Pearce et al.)
 *
 *	time ->
 *	donor	trap ...... | jump to its trampoline, the slot's jump behind it
 *		............................ | original bytes
 *	springboard	trap ...... ......... | short jump to the slot ............ | original bytes
 *		      grace period			  unweaving		      grace period
 *
 * All functions: process context, under wk_mutex.
 */
#ifndef WK_DONOR_H
#define WK_DONOR_H

struct wk_splice;

/*
 * Ties @springboard to @donor. Neither is in the text yet; both go through OPTIMIZING before JUMP.
 */
void wk_donor_tie(struct wk_splice *springboard, struct wk_splice *donor);

/*
 * Unties @springboard from its donor; no task can be on the slot's jump any more. Returns the donor
 * if nothing else keeps it in the text, so that the caller must take it out; otherwise NULL.
 */
struct wk_splice *wk_donor_untie(struct wk_splice *springboard);

#endif /* WK_DONOR_H */
