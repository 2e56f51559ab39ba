// SPDX-License-Identifier: GPL-2.0-or-later
/* Springboards with donors; see donor.h. */
#include <linux/list.h>
#include <linux/string.h>

#include "splice/donor.h"
#include "text/function.h"
#include "text/padding.h"
#include "splice/optimize.h"
#include "splice/slot.h"
#include "splice/splice.h"
#include "text/text-check.h"
#include "text/single-entry.h"
#include "base/lock.h"

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

void wk_donor_tie(struct wk_splice *springboard, struct wk_splice *donor)
{
	wk_assert_locked();
	springboard->slot.address = donor->address + WEFT_JUMP_SIZE;
	memcpy(springboard->slot.old, donor->old + WEFT_JUMP_SIZE, sizeof(springboard->slot.old));
	springboard->donor = donor;
	donor->donates = true;
}

struct wk_splice *wk_donor_untie(struct wk_splice *springboard)
{
	struct wk_splice *donor = springboard->donor;

	wk_assert_locked();
	springboard->donor = NULL;
	springboard->slot.address = 0;
	donor->donates = false;
	/* With attachments of its own it stays in the text, and so does the slot's jump, unused. */
	if (!list_empty(&donor->attachments))
		return NULL;
	wk_optimizing_forget(donor);
	return donor;
}
