/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows the path of a member through the kernel's DWARF: from a struct, by names with dots
 * between. Names are understood as in pointcuts: a member may lie in structs and unions without a
 * name; its name may be a macro of the source (sk_state), or a word that the headers define as
 * another word (rcu_head). The path may begin with the struct's own name.
 */
#ifndef WV_MEMBER_PATH_H
#define WV_MEMBER_PATH_H

#include "aspect/resolve/finder.h"

/* The member to which a path leads. */
struct wv_member_path {
	bool found;
	uint64_t type; /* offset of the DWARF entry of the member's type; 0: void */
	/* from the struct at which the path begins; in an array, that of its element 0 */
	uint64_t bit_offset;
	uint64_t bit_size; /* 0: no bit-field */
	/* a name before the last one is an array; the path does not contain the index */
	bool indexed;
	/*
	 * if not found: the struct that lacks the name .lacking; 0: the path came to something else
	 */
	uint64_t structure;
	char lacking[128];
};

/* Follows @path from the struct whose DWARF entry is at @structure. Not finding it is success. */
int wv_member_path_find(struct wv_finder *finder, uint64_t structure, const char *path,
			struct wv_member_path *ret);

/* The name of a struct type without the word `struct`; "": it has none. */
const char *wv_struct_name(const struct wv_type *type);

#endif /* WV_MEMBER_PATH_H */
