/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows the path of a member through the kernel's DWARF, from a struct, by names with dots
 * between them. A name means the same as in a pointcut:
 * - A member may be in structs and unions without a name.
 * - A name may be a macro of the source that stands for a path (sk_state for
 *   __sk_common.skc_state).
 * - A name may be one that the headers define as another name (rcu_head).
 *
 * The path may begin with the struct's own name.
 */
#ifndef WV_MEMBER_PATH_H
#define WV_MEMBER_PATH_H

#include "aspect/resolve/finder.h"

/* The member at the end of a path. */
struct wv_member_path {
	bool found;
	uint64_t type; /* offset of the DWARF entry of the member's type; 0: void */
	/* from the struct at which the path begins; in an array, the offset of element 0 */
	uint64_t bit_offset;
	uint64_t bit_size; /* size of a bit-field; 0: the member is not a bit-field */
	/* true: a name before the last one is an array, so that the offset depends on an index */
	bool indexed;
	/*
	 * if not found: offset of the DWARF entry of the type, a struct or something else, that has
	 * no member .lacking; 0: void
	 */
	uint64_t structure;
	char lacking[128];
};

/*
 * Follows @path from the struct whose DWARF entry is at @structure. If there is no such member,
 * returns 0 and @ret->found is false. Returns an error if the image or the database cannot be read.
 */
int wv_member_path_find(struct wv_finder *finder, uint64_t structure, const char *path,
			struct wv_member_path *ret);

/* Returns the name of a struct type, without the word `struct`; "" if it has none. */
const char *wv_struct_name(const struct wv_type *type);

#endif /* WV_MEMBER_PATH_H */
