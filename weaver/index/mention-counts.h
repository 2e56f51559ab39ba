/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts of words in the source text of those units whose accesses a database does not have. If
 * none of these units has the name of a member in its text, the database has all accesses of this
 * member. prepare/mentions.h counts the words.
 */
#ifndef WV_MENTION_COUNTS_H
#define WV_MENTION_COUNTS_H

#include <stdlib.h>

#include "base/pool.h"
#include "base/vec.h"

/*
 * .units[i]: number of units whose accesses the database does not have, and whose source text has
 * the word with number i in .words.
 */
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
