/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the variables in scope at an address: parameters and local variables of the function that
 * contains the address, of the blocks around it, and of the inlined instances around it. Reads only
 * the unit of .debug_info that .debug_aranges names for the address.
 */
#ifndef WV_SCOPES_H
#define WV_SCOPES_H

#include "image/dwarf/dies.h"

struct wv_scoped {
	const char *name;
	/* name of the function whose source contains the variable; may be NULL */
	const char *function;
	/* depth of the variable's scope; the innermost scope has the greatest */
	size_t depth;
	size_t function_depth; /* depth of the outermost scope of .function */
	bool parameter;
	uint64_t type; /* offset in .debug_info of the variable's type; 0: void */
	bool has_location, has_constant;
	Dwarf_Attribute location;
	Dwarf_Word constant;
};

struct wv_scope {
	WV_VEC(struct wv_scoped) list; /* sorted by depth only */
	bool has_frame_base;
	/* frame base of the emitted function; valid if .has_frame_base */
	Dwarf_Attribute frame_base;
	bool in_function;		   /* DWARF has a function that contains the address */
	/* offset in .debug_info of the function's return type; 0: the function returns nothing */
	uint64_t returned;
	bool variadic;	/* the function has arguments after its last parameter (...) */
	bool noreturn;	/* the function is declared never to return */
};

struct wv_scopes;

int wv_scopes_create(struct wv_image *image, struct wv_scopes **ret, struct wv_error *error);
void wv_scopes_destroy(struct wv_scopes *scopes);

/*
 * Finds all variables in scope at @address. The list is empty if the image's DWARF does not cover
 * @address. Offsets and attributes in @ret are of wv_scopes_dies().
 */
int wv_scopes_find(struct wv_scopes *scopes, uint64_t address, struct wv_scope *ret,
		   struct wv_error *error);
void wv_scope_deinit(struct wv_scope *scope);

/*
 * Finds a call that the compiler has made in the code at @address: the one after which control is
 * at @returns. (Of a tail call, @returns is the address after its jump.) Sets *@found_ret to false
 * if DWARF has no such call: then assembler code makes the call, or the unit lacks entries for
 * calls. Sets *@function_ret to the entry of the function that is called; if the call goes through
 * a pointer, sets its .addr to NULL.
 */
int wv_scopes_call(struct wv_scopes *scopes, uint64_t address, uint64_t returns, bool *found_ret,
		   Dwarf_Die *function_ret, struct wv_error *error);

const struct wv_dies *wv_scopes_dies(const struct wv_scopes *scopes);

/*
 * Returns the first entry of the unit that the last wv_scopes_find() used; NULL if it found no
 * unit.
 */
const Dwarf_Die *wv_scopes_unit(const struct wv_scopes *scopes);

#endif /* WV_SCOPES_H */
