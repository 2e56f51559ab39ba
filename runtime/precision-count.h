/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts how exactly the shadows of an aspect's accesses are known, from the aspect's table of
 * joinpoints: the weaver reads the table in the module's file, weft.ko in the loaded module.
 */
#ifndef WR_PRECISION_COUNT_H
#define WR_PRECISION_COUNT_H

#include "runtime/abi.h"

/*
 * Counts the shadows of accesses by precision, into @ret, indexed by enum weft_precision. If a
 * shadow has several entries in the table, it counts once, with the worst precision among them. The
 * reason: if one of them is not exact, hits of the shadow may be counted that do not execute that
 * entry's access. The table is sorted by part and text_offset.
 */
static inline void wr_count_precision(const struct weft_joinpoint *joinpoints, __u32 n,
				      __u32 ret[WEFT_PRECISION_OPTIMIZED_OUT])
{
	__u32 i = 0;

	for (__u32 precision = 0; precision < WEFT_PRECISION_OPTIMIZED_OUT; precision++)
		ret[precision] = 0;
	while (i < n) {
		const struct weft_joinpoint *first = &joinpoints[i];
		__u32 worst = 0, accesses = 0;

		for (; i < n && joinpoints[i].part == first->part &&
		       joinpoints[i].text_offset == first->text_offset; i++) {
			if (!joinpoints[i].access)
				continue;
			accesses++;
			if (joinpoints[i].precision > worst)
				worst = joinpoints[i].precision;
		}
		if (accesses && worst < WEFT_PRECISION_OPTIMIZED_OUT)
			ret[worst]++;
	}
}

#endif /* WR_PRECISION_COUNT_H */
