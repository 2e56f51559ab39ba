/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds text that weft.ko refuses to splice, whatever the instruction is: the kprobe blacklist, and
 * the functions whose names are in runtime/blacklist-names.h. It finds as much of this text as a
 * database shows. All addresses are link addresses.
 */
#ifndef WV_KERNEL_BLACKLIST_H
#define WV_KERNEL_BLACKLIST_H

#include "database/db.h"
#include "splice/function-info.h"

struct wv_blacklist_list {
	WV_VEC(struct wv_blacklist) list; /* ascending by start; elements may overlap */
};

/*
 * Reads the blacklist of the vmlinux into @ret, which must be empty; the caller frees .list, unless
 * there was an error. -WV_E_FORMAT: the database lacks symbols that say where such text is.
 */
int wv_blacklist_read(struct wv_blacklist_list *ret, struct wv_db *db, struct wv_error *error);

/* Like wv_blacklist_read(), of a module. @image: the module's number in the database. */
int wv_blacklist_read_module(struct wv_blacklist_list *ret, struct wv_db *db, uint64_t image,
			     struct wv_error *error);

/*
 * Points @function's blacklist to the part of the list that overlaps @start to @end. The part may
 * also contain ranges that end before @start.
 */
void wv_blacklist_within(const struct wv_blacklist_list *blacklist, uint64_t start, uint64_t end,
			 struct wv_function_info *function);

#endif /* WV_KERNEL_BLACKLIST_H */
