/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tags of an aspect (<tag>), kernel side: allocates their tables, and serves readers. Advice
 * itself tags, untags and looks up objects (runtime/tag-table.h); nothing here runs at a hit. Under
 * wk_mutex, except for wk_tags_init() and wk_tags_deinit() of an aspect that is not registered yet.
 * Process context, may sleep.
 */
#ifndef WK_TAGS_H
#define WK_TAGS_H

#include <linux/types.h>

#include "base/table-memory.h"
#include "runtime/advice.h"
#include "runtime/tag-table.h"

struct wk_tag {
	const struct weft_tag *from; /* the module's description; NULL once the module is gone */
	char name[64], object[64];
	u64 *slots; /* the table; NULL once the module is gone */
	u32 nr_slots;
	/* the sums of all CPUs: at the last reset; and, once the module is gone, its last ones */
	struct wr_tag_counts before, last;
	u64 carried; /* once the module is gone: objects that carried the tag at the end */
};

struct wk_tags {
	struct wk_tag *list;
	u32 nr;
	struct wk_account memory;
	/*
	 * a module where objects are freed was loaded during the weave, and is not woven: no object
	 * carries a tag until the next weave
	 */
	bool lost;
};

/*
 * Allocates the tables that @module asks for and tells the module where they are. -ENOMEM: memory
 * is short. -EINVAL: the module asks for too many tags, or for too large a table.
 */
int wk_tags_init(struct wk_tags *tags, struct weft_aspect *module);
void wk_tags_deinit(struct wk_tags *tags);

/* Called before the first hit of a weave: no object carries a tag, and nothing is counted. */
void wk_tags_start(struct wk_tags *tags);

/* Called when the module is being unloaded: keeps what has been counted, and frees the tables. */
void wk_tags_keep(struct wk_tags *tags);

/* These serve the requests WEFT_IOC_TAG and WEFT_IOC_METRIC_RESET (runtime/abi-tags.h). */
int wk_tags_info(const struct wk_tags *tags, struct weft_tag_info *info);
void wk_tags_reset(struct wk_tags *tags);

#endif /* WK_TAGS_H */
