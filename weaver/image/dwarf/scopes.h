/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variables that are in scope at an address: parameters and locals of the function that holds
 * it, of the blocks around it and of the inlined copies that it stands in. Reads the one unit of
 * .debug_info that .debug_aranges names, nothing else.
 */
#ifndef WV_SCOPES_H
#define WV_SCOPES_H

#include "image/dwarf/dies.h"

struct wv_scoped {
	const char *name;
	const char *function; /* whose source it stands in; may be NULL */
	size_t depth;	      /* of its scope; the greatest is the innermost */
	size_t function_depth; /* of its function's own scope */
	bool parameter;
	uint64_t type; /* offset of the type's entry; 0: void */
	bool has_location, has_constant;
	Dwarf_Attribute location;
	Dwarf_Word constant;
};

struct wv_scope {
	WV_VEC(struct wv_scoped) list; /* by depth, not sorted otherwise */
	bool has_frame_base;
	Dwarf_Attribute frame_base; /* of the function that was emitted */
	bool in_function;		   /* that DWARF knows */
	/* offset of the entry of the type that it returns; 0: nothing */
	uint64_t returned;
};

struct wv_scopes;

int wv_scopes_create(struct wv_image *image, struct wv_scopes **ret, struct wv_error *error);
void wv_scopes_destroy(struct wv_scopes *scopes);

/*
 * Everything in scope at @address; an empty list where the image's DWARF does not know it. What it
 * gives refers to wv_scopes_dies().
 */
int wv_scopes_find(struct wv_scopes *scopes, uint64_t address, struct wv_scope *ret,
		   struct wv_error *error);
void wv_scope_deinit(struct wv_scope *scope);

const struct wv_dies *wv_scopes_dies(const struct wv_scopes *scopes);

/* The first entry of the unit that wv_scopes_find() was in last; NULL where it found none. */
const Dwarf_Die *wv_scopes_unit(const struct wv_scopes *scopes);

#endif /* WV_SCOPES_H */
