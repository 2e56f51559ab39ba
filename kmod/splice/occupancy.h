/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A counting filter over 256-byte blocks of text: how many objects (splices, slots) begin in each
 * block, indexed by the block's hash. A zero means that the block has none, so it need not be
 * searched byte by byte; a non-zero count may come from another block with the same hash. Under
 * wk_mutex; kprobe-hook.c reads the filter of splices without it (wk_splice_none()).
 */
#ifndef WK_OCCUPANCY_H
#define WK_OCCUPANCY_H

#include <linux/hash.h>
#include <linux/types.h>

enum { WK_OCCUPANCY_BITS = 12, WK_OCCUPANCY_BLOCK = 256 };

struct wk_occupancy {
	unsigned int counts[1 << WK_OCCUPANCY_BITS];
};

static inline unsigned int *wk_occupancy_at(struct wk_occupancy *occupancy, unsigned long address)
{
	return &occupancy->counts[hash_long(address / WK_OCCUPANCY_BLOCK, WK_OCCUPANCY_BITS)];
}

/*
 * Returns the first address at or after @address where an object may begin; a value of @end or more
 * if there is none before @end.
 */
static inline unsigned long wk_occupancy_next(struct wk_occupancy *occupancy, unsigned long address,
					      unsigned long end)
{
	while (address < end && !*wk_occupancy_at(occupancy, address))
		address = (address / WK_OCCUPANCY_BLOCK + 1) * WK_OCCUPANCY_BLOCK;
	return address;
}

#endif /* WK_OCCUPANCY_H */
