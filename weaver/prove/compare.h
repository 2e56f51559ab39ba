/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares code of an object with code of an image. Bytes without a relocation must be equal. Where
 * bytes have a relocation, the targets to which they refer must be equal:
 *
 * - A global symbol must be the image's symbol of that name, which may be defined in another unit.
 *   A local symbol must be at its offset in its section; find-place.h finds where the section is.
 * - In a section whose pieces the linker merges (strings, constants), the contents at both places
 *   are compared instead.
 * - A section without symbols may be at the place to which the image refers. That is accepted if
 *   the image has all of the section's contents there, or if most references of the object imply
 *   the same place.
 * - At a jump label and at ftrace's call, object and image may each have the instruction or a nop
 *   of the same size.
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
 * Compares @size bytes at @at, which must all be in one section, with those of the image at
 * @address. Clears *@ret first. Stops at the first difference, and stores there what it is. May set
 * the places of sections that are WV_PLACE_UNKNOWN.
 */
void wv_compare_code(struct wv_object_code *code, const struct wv_shipped *shipped,
		     struct wv_object_place at, uint64_t size, uint64_t address,
		     struct wv_difference *ret);

#endif /* WV_COMPARE_H */
