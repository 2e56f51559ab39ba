/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many of something begin in each block of text, by the block's hash. Most blocks have none,
 * and need not be looked at byte by byte. Under wk_mutex.
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
 * The first address from @address on where one may begin; not below @end where there is none before
 * it.
 */
static inline unsigned long wk_occupancy_next(struct wk_occupancy *occupancy, unsigned long address,
					      unsigned long end)
{
	while (address < end && !*wk_occupancy_at(occupancy, address))
		address = (address / WK_OCCUPANCY_BLOCK + 1) * WK_OCCUPANCY_BLOCK;
	return address;
}

#endif /* WK_OCCUPANCY_H */
