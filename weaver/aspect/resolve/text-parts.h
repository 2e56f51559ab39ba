/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the parts of the text that contain shadows (struct weft_text_part). */
#ifndef WV_TEXT_PARTS_H
#define WV_TEXT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "runtime/abi.h"

/* A part of the text: the kernel itself, a section of a module, or a program. */
struct wv_text_part {
	/*
	 * .module: name of the module, or path of the program. .section, .anchor: "" for a program.
	 * The strings are on the heap. All three are NULL for the kernel itself.
	 */
	char *module, *section, *anchor;
	uint64_t anchor_offset;
	/*
	 * .start: offset of the part in the database (schema.h). .size: in bytes. Both are 0 for
	 * the kernel itself.
	 */
	uint64_t start, size;
	uint8_t build_id[WEFT_BUILD_ID_MAX];
	size_t build_id_size;
};

typedef WV_VEC(struct wv_text_part) wv_parts;

struct wv_db;
struct wv_error;
struct wv_image;

/* The location of a shadow: number of its part, and offset in this part. */
struct wv_shadow_location {
	uint32_t part;
	uint64_t text_offset;
	/*
	 * true: a module frees this text after its initialization, so it is in no part; the other
	 * members are 0
	 */
	bool gone;
};

/*
 * Finds the locations of @n shadows, whose offsets in the database ascend, and the parts that
 * contain them; the first part is the kernel itself. Returns -WV_E_FORMAT if a module has no
 * build-id, or no anchor: the symbol by which the section is found in the running kernel. Returns
 * -WV_E_NO_MATCH if there are too many parts.
 */
int wv_parts_find(wv_parts *parts, struct wv_db *db, const uint64_t *offsets, size_t n,
		  struct wv_shadow_location *ret, struct wv_error *error);
void wv_parts_deinit(wv_parts *parts);

/*
 * Adds the kernel itself, whose database is @db, as the first part of the empty list @parts. To be
 * called if wv_parts_find() is not called, because the aspect has no joinpoints in the kernel.
 */
int wv_parts_add_kernel(wv_parts *parts, struct wv_db *db, struct wv_error *error);

/*
 * Adds the program whose image is @image as a part. @path: where the program is when the aspect is
 * woven. Sets *@away_ret to the link address of the program's text minus the text's offset in the
 * file. Returns -WV_E_FORMAT if the program has no build-id, or if that difference is not the same
 * for all of its text.
 */
int wv_parts_add_program(wv_parts *parts, struct wv_image *image, const char *path,
			 uint64_t *away_ret, struct wv_error *error);

#endif /* WV_TEXT_PARTS_H */
