/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Springboards whose slot is in a donor: a displaced range near by, long enough for a jump into its
 * own trampoline and a slot behind that. The donor is a splice like others, also where it has no
 * advice. Before the slot is there it has to be optimized, before the springboard jumps there the
 * slot has to be; and it stays until nobody can be on the slot's jump any more. (GILK's local
 * springboards: the displaced block of "Dynamic Instrumentation for the Linux Kernel", Pearce et
 * al.)
 *
 *	time ->
 *	donor	trap ...... | jump into its trampoline, the slot's jump behind it
 *		............................ | original bytes
 *	springboard	trap ...... ......... | short jump to the slot ............ | original bytes
 *		      grace period			  unweaving		      grace period
 *
 * Under wk_mutex, process context.
 */
#ifndef WK_DONOR_H
#define WK_DONOR_H

#include <linux/types.h>

struct wk_splice;
struct wk_displaced;

/*
 * May a springboard have its slot in the padding at @slot, which is nobody's? @c_size: as
 * wk_is_single_entry() has it.
 */
bool wk_donor_fits_padding(unsigned long slot, u32 c_size);

/*
 * May the springboard at @springboard have its slot at @slot in a donor of its function? True fills
 * @ret with the donor's instructions.
 * @c_size: as wk_is_single_entry() has it.
 */
bool wk_donor_find(unsigned long springboard, unsigned long slot, u32 c_size,
		   struct wk_displaced *ret);

/* Neither is in the text yet. Both will be OPTIMIZING before they are JUMPs. */
void wk_donor_tie(struct wk_splice *springboard, struct wk_splice *donor);

/*
 * Nobody can be on the slot's jump any more. Returns the donor where it has nothing left to do and
 * is to be taken out of the text, or NULL.
 */
struct wk_splice *wk_donor_untie(struct wk_splice *springboard);

#endif /* WK_DONOR_H */
