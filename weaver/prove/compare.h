/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares code of an object with code of an image: the bytes as they are, and the targets that
 * bytes with a relocation refer to.
 *
 * - A global symbol is the image's symbol of that name; it may be defined in another unit. A local
 *   symbol is at its place in the section, whose own place find-place.h finds.
 * - In a section whose pieces the linker merges (strings, constants), the contents at both places
 *   are compared.
 * - The place of a section without symbols is taken from a reference to it, if the image has all of
 *   the section's contents there, or if most references of the object imply the same place.
 * - At a jump label and at ftrace's call, both may have the instruction or a nop of its size.
 */
#ifndef WV_COMPARE_H
#define WV_COMPARE_H

#include "prove/object-code.h"
#include "prove/shipped.h"

enum wv_difference_kind {
	WV_SAME,
	WV_DIFFERENT_PLACE, /* the function is not in the image, or not in the code of its unit */
	WV_DIFFERENT_SIZE,
	WV_DIFFERENT_BYTES,	/* the bytes at .offset differ */
	WV_DIFFERENT_REFERENCE, /* the bytes at .offset refer to something else */
	WV_DIFFERENCE_COUNT
};

struct wv_difference {
	enum wv_difference_kind kind;
	uint64_t offset; /* from the beginning of the function, in bytes */
	char text[200];	 /* one line: what differs */
};

/*
 * Compares @size bytes at @at, all inside their section, with those of the image at @address.
 * Clears *@ret first. May set places of sections with data.
 */
void wv_compare_code(struct wv_object_code *code, const struct wv_shipped *shipped,
		     struct wv_object_place at, uint64_t size, uint64_t address,
		     struct wv_difference *ret);

#endif /* WV_COMPARE_H */
