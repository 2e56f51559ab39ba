/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entries of .debug_info, read by libdw. Three things are added here. Every walk ends, whatever
 * siblings and references untrusted input has. Strings end inside their section. And image.c loads
 * the sections, so that those of modules are relocated.
 */
#ifndef WV_DIES_H
#define WV_DIES_H

#include <elfutils/libdw.h>

#include "image/image.h"

/* So many references are followed from one entry: from typedef to type, instance to function. */
#define WV_REFERENCES_MAX 32

/* The debug information of an image. */
struct wv_dies {
	struct wv_image *image;
	const struct wv_section *info;
	Dwarf *dwarf; /* NULL where the image has none */
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
 * Releases what libdw keeps of the units read so far. Entries and lines become invalid; strings of
 * sections stay.
 */
int wv_dies_forget(struct wv_dies *dies, struct wv_error *error);

/* -WV_E_FORMAT: @what is damaged, at @offset of .debug_info. NULL: what libdw found last. */
int wv_dies_fail(const struct wv_dies *dies, Dwarf_Off offset, const char *what,
		 struct wv_error *error);

/* Goes to the next unit. *@more_ret is false after the last one; else @ret is its first entry. */
int wv_dies_next_unit(struct wv_dies *dies, bool *more_ret, Dwarf_Die *ret, struct wv_error *error);

/* The first child of @die, which @ret may be. *@more_ret is false where it has none. */
int wv_dies_child(const struct wv_dies *dies, Dwarf_Die *die, bool *more_ret, Dwarf_Die *ret,
		  struct wv_error *error);

/* Goes from @die to the next entry of the same parent. *@more_ret is false after the last one. */
int wv_dies_next(const struct wv_dies *dies, Dwarf_Die *die, bool *more_ret,
		 struct wv_error *error);

#define WV_WALK_DEPTH 256 /* entries inside each other; a kernel has some 30 */

/* A walk over the entries of a unit, in their order. */
struct wv_walk {
	const struct wv_dies *dies;
	Dwarf_Die path[WV_WALK_DEPTH]; /* [0] is the unit's own entry */
	size_t depth;
	Dwarf_Off last;
};

void wv_walk_start(struct wv_walk *walk, const struct wv_dies *dies, const Dwarf_Die *unit);

/*
 * Goes on: to the children of the last entry if @inside, else past them. *@ret is valid until the
 * next call, and NULL at the unit's end.
 */
int wv_walk_next(struct wv_walk *walk, bool inside, Dwarf_Die **ret, struct wv_error *error);

/*
 * The entry at @offset, which something refers to. False where no unit is there; the middle of an
 * entry cannot be told from its beginning.
 */
bool wv_die_at(const struct wv_dies *dies, Dwarf_Off offset, Dwarf_Die *ret);

/*
 * An attribute of @die itself. Where it is absent or of another form the number is 0, the text
 * NULL, and there is no reference. @ret may be @die, which then stays as it is.
 */
uint64_t wv_die_number(Dwarf_Die *die, unsigned int attribute);
const char *wv_die_text(const struct wv_dies *dies, Dwarf_Die *die, unsigned int attribute);
bool wv_die_reference(Dwarf_Die *die, unsigned int attribute, Dwarf_Die *ret);

/* The name of @die, or of what it is an instance or the definition of. */
const char *wv_die_name(const struct wv_dies *dies, Dwarf_Die *die);

/* A struct or union. */
bool wv_die_is_struct(Dwarf_Die *die);

/* What @die is an instance or the definition of. */
bool wv_die_origin(Dwarf_Die *die, Dwarf_Die *ret);

/*
 * Where each piece of the code of @die begins, at most @most of them: a compiler puts unlikely code
 * elsewhere (foo.cold). Returns how many. Empty pieces are none.
 */
size_t wv_die_pieces(Dwarf_Die *die, uint64_t *ret, size_t most);

/* Where the code of @die is entered. False where it has none (left). */
bool wv_die_entry(Dwarf_Die *die, uint64_t *ret);

#endif /* WV_DIES_H */
