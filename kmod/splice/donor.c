// SPDX-License-Identifier: GPL-2.0-or-later
/* Bounces with hosts; see donor.h. */
#include <linux/list.h>
#include <linux/string.h>

#include "splice/donor.h"
#include "text/function.h"
#include "splice/optimize.h"
#include "splice/slot.h"
#include "splice/splice.h"
#include "text/text.h"
#include "text/single-entry.h"

bool wk_bounce_find_host(unsigned long bounce, unsigned long slot, u32 vouched, struct wk_window *ret)
{
	struct wk_function *function = wk_function_at(bounce);
	unsigned long host = slot - WEFT_JUMP_SIZE;

	if (!function || !wk_function_holds(function, host) || wk_text_window(function, host, WEFT_HOST_MIN, ret))
		return false;
	return ret->length <= WEFT_WINDOW_MAX && wk_window_is_closed(function, host + 1, ret->length - 1, vouched) &&
	       !wk_text_owner(function, host, ret->length) && !wk_splice_overlaps(host, ret->length) &&
	       !wk_slot_overlaps(host, ret->length, NULL);
}

void wk_bounce_tie(struct wk_splice *bounce, struct wk_splice *host)
{
	bounce->slot.address = host->address + WEFT_JUMP_SIZE;
	memcpy(bounce->slot.old, host->old + WEFT_JUMP_SIZE, sizeof(bounce->slot.old));
	bounce->host = host;
	bounce->trapping = true;
	host->hosting = true;
	host->trapping = true;
}

struct wk_splice *wk_bounce_untie(struct wk_splice *bounce)
{
	struct wk_splice *host = bounce->host;

	bounce->host = NULL;
	bounce->slot.address = 0;
	host->hosting = false;
	/* Advice of its own keeps it, with the dead jump in it. */
	if (!list_empty(&host->uses))
		return NULL;
	wk_settle_forget(host);
	return host;
}
