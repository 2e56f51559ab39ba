/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a type of .debug_info as C that compiles whatever headers are included. A typedef is
 * replaced by C's own words or by a struct's tag. Types without such a name, for example anonymous
 * structs and pointers to functions, become void * or an integer of the same size.
 */
#ifndef WV_TYPES_H
#define WV_TYPES_H

#include "image/dwarf/dies.h"

enum wv_type_kind {
	/* a value that is not in integer registers, such as floating point; or void */
	WV_TYPE_NONE,
	WV_TYPE_INTEGER,
	WV_TYPE_POINTER,
	WV_TYPE_STRUCT, /* struct or union with a tag; .text is its name */
	/* any other aggregate; .text is the type of a pointer to the aggregate's beginning */
	WV_TYPE_MEMORY,
};

struct wv_type {
	enum wv_type_kind kind;
	char text[160];
	/*
	 * "struct sk_buff": C code must declare this before it uses .text; "": nothing to declare
	 */
	char tag[96];
	uint64_t size;
	bool is_signed;
	uint64_t entry; /* offset in .debug_info of the type without typedefs and qualifiers */
};

/* Describes the type whose entry is at offset @type of .debug_info; @type 0: void. */
void wv_type_describe(const struct wv_dies *dies, uint64_t type, struct wv_type *ret);

/* A member of a struct or union. */
struct wv_type_member {
	uint64_t type; /* offset of its type in .debug_info; 0: none */
	/*
	 * Both are numbers of bits. .bit_offset counts from the struct's first byte. .bit_size is 0
	 * if the member is not a bitfield.
	 */
	uint64_t bit_offset, bit_size;
};

/*
 * Finds the member @name of the struct or union at offset @entry of .debug_info. The member may be
 * in an anonymous struct inside it. Sets *@found_ret to false if there is no such member.
 */
int wv_type_member(const struct wv_dies *dies, uint64_t entry, const char *name, bool *found_ret,
		   struct wv_type_member *ret, struct wv_error *error);

/*
 * Returns whether the type at offset @type of .debug_info is an array. If it is, sets *@ret to the
 * type of its elements, without all dimensions.
 */
bool wv_type_element(const struct wv_dies *dies, uint64_t type, uint64_t *ret);

/* Visits the members of the struct or union at @entry until @visit returns false. */
int wv_type_each_member(const struct wv_dies *dies, uint64_t entry,
			bool (*visit)(const char *name, const struct wv_type_member *member,
				      void *context),
			void *context, struct wv_error *error);

/*
 * Finds the return type of the functions to which the pointer type at @entry points. Sets *@ret to
 * the type's offset, or to 0 if the functions return nothing. Returns false if @entry is neither a
 * pointer to functions nor a function type.
 */
bool wv_type_returned(const struct wv_dies *dies, uint64_t entry, uint64_t *ret);

/*
 * Gets the entry of the function type to which the pointer type at offset @entry of .debug_info
 * points. Returns false if @entry is neither a pointer to functions nor a function type.
 */
bool wv_type_function(const struct wv_dies *dies, uint64_t entry, Dwarf_Die *ret);

/*
 * Finds the struct, union or typedef @name among the outermost entries of the unit whose first
 * entry is @unit. Sets *@ret to the type's offset in .debug_info, or to 0 if there is none.
 */
int wv_type_find(const struct wv_dies *dies, const Dwarf_Die *unit, const char *name, uint64_t *ret,
		 struct wv_error *error);

#endif /* WV_TYPES_H */
