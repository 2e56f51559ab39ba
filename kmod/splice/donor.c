// SPDX-License-Identifier: GPL-2.0-or-later
/* Ties springboards to donors; see donor.h. */
#include <linux/list.h>
#include <linux/string.h>

#include "splice/donor.h"
#include "splice/optimize.h"
#include "splice/splice.h"
#include "base/lock.h"

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
	/*
	 * A donor with attachments of its own stays in the text, and so does the unused jump in its
	 * slot.
	 */
	if (!list_empty(&donor->attachments))
		return NULL;
	wk_optimizing_forget(donor);
	return donor;
}
