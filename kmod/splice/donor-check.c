// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks addresses for springboard slots; see donor-check.h. */
#include "base/lock.h"
#include "splice/donor-check.h"
#include "splice/slot.h"
#include "splice/splice.h"
#include "text/function.h"
#include "text/padding.h"
#include "text/single-entry.h"
#include "text/text-check.h"

bool wk_donor_fits_padding(unsigned long slot, u32 c_size)
{
	wk_assert_locked();
	return wk_is_padding(slot, WEFT_JUMP_SIZE, c_size) &&
	       !wk_splice_overlaps(slot, WEFT_JUMP_SIZE) &&
	       !wk_slot_overlaps(slot, WEFT_JUMP_SIZE, NULL);
}

bool wk_donor_find(unsigned long springboard, unsigned long slot, u32 c_size,
		   struct wk_displaced *ret)
{
	struct wk_function *function = wk_function_at(springboard);
	unsigned long donor = slot - WEFT_JUMP_SIZE;

	wk_assert_locked();
	if (!function || !wk_function_holds(function, donor) ||
	    wk_text_displaced(function, donor, WEFT_DONOR_MIN, ret))
		return false;
	return ret->length <= WEFT_DISPLACED_MAX &&
	       wk_is_single_entry(function, donor + 1, ret->length - 1, c_size) &&
	       !wk_text_owner(function, donor, ret->length) &&
	       !wk_splice_overlaps(donor, ret->length) &&
	       !wk_slot_overlaps(donor, ret->length, NULL);
}
