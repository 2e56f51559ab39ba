/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many of something begin in each block of text, by the block's hash. Most blocks have none, and need not be looked at byte by
 * byte. Under wk_mutex.
 */
#ifndef WK_OCCUPANCY_H
#define WK_OCCUPANCY_H

#include <linux/hash.h>
#include <linux/types.h>

enum { WK_CROWD_BITS = 12, WK_CROWD_BLOCK = 256 };

struct wk_crowd {
	unsigned int counts[1 << WK_CROWD_BITS];
};

static inline unsigned int *wk_crowd_at(struct wk_crowd *crowd, unsigned long address)
{
	return &crowd->counts[hash_long(address / WK_CROWD_BLOCK, WK_CROWD_BITS)];
}

/* The first address from @address on where one may begin; not below @end where there is none before it. */
static inline unsigned long wk_crowd_next(struct wk_crowd *crowd, unsigned long address, unsigned long end)
{
	while (address < end && !*wk_crowd_at(crowd, address))
		address = (address / WK_CROWD_BLOCK + 1) * WK_CROWD_BLOCK;
	return address;
}

#endif /* WK_OCCUPANCY_H */
