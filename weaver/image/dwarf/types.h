/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A type of .debug_info in C that compiles whatever headers are included: typedefs are opened down
 * to C's own words, structs are named by their tag only, and where C has no such name (anonymous
 * structs, pointers to functions) void * or an integer of the same size stands in.
 */
#ifndef WV_TYPES_H
#define WV_TYPES_H

#include "image/dwarf/dies.h"

enum wv_type_kind {
	WV_TYPE_NONE, /* no value in C's integer registers: floating point, void */
	WV_TYPE_INTEGER,
	WV_TYPE_POINTER,
	WV_TYPE_STRUCT, /* or union, with a tag: .text is it */
	WV_TYPE_MEMORY, /* any other aggregate; .text is the type of a pointer to its beginning */
};

struct wv_type {
	enum wv_type_kind kind;
	char text[160];
	/* "struct sk_buff": has to be declared before .text is used; "" where nothing has */
	char tag[96];
	uint64_t size;
	bool is_signed;
	uint64_t entry; /* offset of the entry behind typedefs and qualifiers */
};

/* The type whose entry is at @type; 0: void. */
void wv_type_describe(const struct wv_dies *dies, uint64_t type, struct wv_type *ret);

/*
 * A member of the struct or union whose entry is at @entry, through anonymous levels. *@found_ret
 * is false where it has none of this name.
 */
struct wv_type_member {
	uint64_t type;
	uint64_t bit_offset, bit_size; /* from the struct's first byte; bit_size 0: no bitfield */
};
int wv_type_member(const struct wv_dies *dies, uint64_t entry, const char *name, bool *found_ret,
		   struct wv_type_member *ret, struct wv_error *error);

/* All of them, until @visit returns false. */
int wv_type_each_member(const struct wv_dies *dies, uint64_t entry,
			bool (*visit)(const char *name, const struct wv_type_member *member,
				      void *context),
			void *context, struct wv_error *error);

/* What the function returns that the pointer at @entry points to; 0: nothing. False: to none. */
bool wv_type_returned(const struct wv_dies *dies, uint64_t entry, uint64_t *ret);

/*
 * The entry of the struct, union or typedef @name among the outermost of the unit whose first entry
 * is @unit; 0: none.
 */
int wv_type_find(const struct wv_dies *dies, const Dwarf_Die *unit, const char *name, uint64_t *ret,
		 struct wv_error *error);

#endif /* WV_TYPES_H */
