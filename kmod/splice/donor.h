/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Springboards whose slot lies in a donor.
 *
 * A springboard is a splice of two bytes: a short jump to a slot, where the jump to the trampoline
 * is. A donor is another splice within reach of the short jump, whose displaced range is long
 * enough for its own jump and, after that, for the slot. Otherwise a donor is a splice like any
 * other: it may have attachments of its own or none.
 *
 * The order of writes matters. First the donor is optimized: its jump is written and, after that,
 * the slot's jump. Only then is the springboard's short jump written. When the springboard is
 * unwoven, the donor stays in the text until no task can be on the slot's jump any more. What is in
 * the text, over time:
 *
 *                      weave    after grace periods    unweave   after grace periods
 *         donor        | trap   | jump, slot's jump              | original bytes
 *         springboard  | trap       | short jump       | original bytes
 *
 * GILK's local springboards lie in a displaced block in the same way (Pearce et al., "Dynamic
 * Instrumentation for the Linux Kernel").
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
