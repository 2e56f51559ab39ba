/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How exactly the shadows of an aspect's accesses are known, counted from its table of joinpoints:
 * by the weaver from the module's file, by weft.ko from the loaded module.
 */
#ifndef WR_PRECISION_COUNT_H
#define WR_PRECISION_COUNT_H

#include "runtime/abi.h"

/*
 * Counts each shadow of an access once, however many entries it has in the table, under the worst
 * precision of these entries: if one entry is not exact, hits may be counted there that are none of
 * its access. Fills @ret, by enum weft_precision. The table ascends by part and text_offset.
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
