/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the entries of .debug_info through libdw, and makes this safe:
 * - Every walk ends, even if untrusted input has cyclic siblings or references.
 * - Every string is checked to end inside its section.
 * - image.c loads the sections, so that those of modules are relocated.
 */
#ifndef WV_DIES_H
#define WV_DIES_H

#include <elfutils/libdw.h>

#include "image/image.h"

/*
 * Maximum number of references that are followed from one entry, as from typedef to type or from
 * instance to function: untrusted input may have cycles.
 */
#define WV_REFERENCES_MAX 32

/* The debug information of an image. */
struct wv_dies {
	struct wv_image *image; /* the image itself, or its debug file (image/debug-file.h) */
	const struct wv_section *info;
	Dwarf *dwarf; /* libdw's handle; NULL if the image has no DWARF */
	Dwarf_Off next_unit;
};

int wv_dies_create(struct wv_image *image, struct wv_dies **ret, struct wv_error *error);
void wv_dies_destroy(struct wv_dies *dies);

static inline void wv_cleanup_dies(struct wv_dies **dies)
{
	wv_dies_destroy(*dies);
}
#define _cleanup_dies_ __attribute__((cleanup(wv_cleanup_dies)))

/*
 * Frees what libdw has cached of the units read so far. Entries and lines of these units become
 * invalid. Strings in sections stay valid.
 */
int wv_dies_forget(struct wv_dies *dies, struct wv_error *error);

/*
 * Fills @error with the message that .debug_info is damaged at @offset, and returns -WV_E_FORMAT.
 * @what is the reason. If it is NULL, libdw's last error is the reason.
 */
int wv_dies_fail(const struct wv_dies *dies, Dwarf_Off offset, const char *what,
		 struct wv_error *error);

/* Goes to the next unit. *@more_ret is false after the last one; else @ret is its first entry. */
int wv_dies_next_unit(struct wv_dies *dies, bool *more_ret, Dwarf_Die *ret, struct wv_error *error);

/* Gets the first child of @die; @ret may be @die. *@more_ret is false if there is none. */
int wv_dies_child(const struct wv_dies *dies, Dwarf_Die *die, bool *more_ret, Dwarf_Die *ret,
		  struct wv_error *error);

/* Goes from @die to the next entry of the same parent. *@more_ret is false after the last one. */
int wv_dies_next(const struct wv_dies *dies, Dwarf_Die *die, bool *more_ret,
		 struct wv_error *error);

/* Maximum depth of nested entries. A kernel has about 30. */
#define WV_WALK_DEPTH 256

/* A walk over the entries of a unit, in their order. */
struct wv_walk {
	const struct wv_dies *dies;
	Dwarf_Die path[WV_WALK_DEPTH]; /* [0] is the unit's own entry */
	size_t depth;
	Dwarf_Off last;
};

void wv_walk_start(struct wv_walk *walk, const struct wv_dies *dies, const Dwarf_Die *unit);

/*
 * Goes to the next entry of the walk: to the first child of the last entry if @inside is set, else
 * to the entry after all its children. Sets *@ret to this entry, which is valid until the next
 * call, or to NULL at the end of the unit.
 */
int wv_walk_next(struct wv_walk *walk, bool inside, Dwarf_Die **ret, struct wv_error *error);

/*
 * Gets the entry at @offset, to which another entry refers. Returns false if no unit contains the
 * offset. Does not notice if @offset is in the middle of an entry.
 */
bool wv_die_at(const struct wv_dies *dies, Dwarf_Off offset, Dwarf_Die *ret);

/*
 * Read an attribute of @die itself. If @die does not have the attribute, or has it in another form,
 * they return 0, NULL or false. @ret may be @die, which is then unchanged on failure.
 */
uint64_t wv_die_number(Dwarf_Die *die, unsigned int attribute);
const char *wv_die_text(const struct wv_dies *dies, Dwarf_Die *die, unsigned int attribute);
bool wv_die_reference(Dwarf_Die *die, unsigned int attribute, Dwarf_Die *ret);

/*
 * Returns the name of @die. If @die is an instance or a definition of another entry, returns the
 * name of that entry.
 */
const char *wv_die_name(const struct wv_dies *dies, Dwarf_Die *die);

/* Returns whether @die is a struct or union. */
bool wv_die_is_struct(Dwarf_Die *die);

/* Gets the entry of which @die is an instance or the definition. */
bool wv_die_origin(Dwarf_Die *die, Dwarf_Die *ret);

/*
 * Gets the start addresses of the pieces of code of @die, at most @most of them, and returns their
 * number. A function may have several pieces, because a compiler may move unlikely code away from
 * the rest (foo.cold). Empty pieces are left out.
 */
size_t wv_die_pieces(Dwarf_Die *die, uint64_t *ret, size_t most);

/*
 * Gets the entry address of the code of @die. Returns false if @die has no code, or if the linker
 * has removed its code.
 */
bool wv_die_entry(Dwarf_Die *die, uint64_t *ret);

#endif /* WV_DIES_H */
