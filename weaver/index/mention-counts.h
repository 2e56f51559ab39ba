/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the units whose accesses a database does not know mention: by that, a query can tell whether
 * its answer may lack some. prepare/mentions.h makes it from the source's text.
 */
#ifndef WV_MENTION_COUNTS_H
#define WV_MENTION_COUNTS_H

#include <stdlib.h>

#include "base/pool.h"
#include "base/vec.h"

/* Of each word in .words, how many of these units mention it: the element of its number. */
struct wv_mention_counts {
	struct wv_pool words;
	WV_VEC(uint32_t) units;
};

static inline void wv_mention_counts_deinit(struct wv_mention_counts *mentions)
{
	wv_pool_deinit(&mentions->words);
	wv_vec_deinit(&mentions->units);
}
#define _cleanup_mention_counts_ __attribute__((cleanup(wv_mention_counts_deinit)))

#endif /* WV_MENTION_COUNTS_H */
