/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the unit of an image that the code at an address belongs to, by the units' entries in
 * DWARF.
 */
#ifndef WV_UNITS_H
#define WV_UNITS_H

#include <stdbool.h>

#include "base/vec.h"
#include "image/image.h"
#include "image/paths.h"

/* A contiguous piece of a unit's code. */
struct wv_unit_range {
	uint64_t start, end; /* link addresses */
	uint32_t file;	     /* the unit's main source file: number in struct wv_paths */
};

struct wv_units {
	WV_VEC(struct wv_unit_range) ranges; /* sorted by .start */
	WV_VEC(uint32_t) files; /* main source file of each unit, with code or without */
};

/*
 * Adds the main files of the units to @paths (wv_paths_add_main()), and the units to @ret. It is no
 * error if the image has no DWARF; both lists of @ret are then empty.
 */
int wv_units_read(struct wv_image *image, struct wv_paths *paths, struct wv_units *ret,
		  struct wv_error *error);
void wv_units_deinit(struct wv_units *units);

/*
 * Returns whether the unit with main source file @name was compiled from a C file of the source
 * tree. @name comes from wv_paths_name(). Units of assembler files do not count, because they have
 * no accesses. Units of files that the last link has generated do not count either: their names
 * begin with a dot.
 */
bool wv_unit_is_c(const char *name);

/*
 * Returns whether calls in the unit that @producer (DW_AT_producer, may be NULL) has made keep to
 * the C calling convention: a call may change every register that the convention lets it change,
 * and it passes arguments only as the convention says. Some code does not:
 * - Assembler code follows no convention.
 * - Code that GCC compiles with -fipa-ra, a part of -O2, relies on registers that the callee is
 *   known not to change. -pg (which the producer shows as -p) and live patching turn -fipa-ra off.
 * - Without -mskip-rax-setup, the call of a variadic function also passes a number in rax.
 */
bool wv_unit_keeps_convention(const char *producer);

/* The main source file of the unit with code at @address; WV_POOL_FAILED: none. */
uint32_t wv_units_at(const struct wv_units *units, uint64_t address);

#endif /* WV_UNITS_H */
