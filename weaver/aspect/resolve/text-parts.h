/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the parts of the text that contain shadows (struct weft_text_part). */
#ifndef WV_TEXT_PARTS_H
#define WV_TEXT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "runtime/abi.h"

/* A part: the kernel proper, or a module's section. */
struct wv_text_part {
	char *module, *section, *anchor; /* owned; all NULL for the kernel proper */
	uint64_t anchor_offset;
	uint64_t start, size; /* offset in the database (schema.h) and bytes; 0 for the kernel */
	uint8_t build_id[WEFT_BUILD_ID_MAX];
	size_t build_id_size;
};

typedef WV_VEC(struct wv_text_part) wv_parts;

struct wv_db;
struct wv_error;

/* The location of a shadow: the index of its part, and the offset from the part's beginning. */
struct wv_shadow_location {
	uint32_t part;
	uint64_t text_offset;
	/* in text that a module has only while it initializes: no part; the other members are 0 */
	bool gone;
};

/*
 * Finds the locations of @n shadows, whose offsets in the database ascend, and the parts that they
 * are in; the first part is the kernel proper. -WV_E_FORMAT: a module has no build-id, or no
 * anchor, which is the symbol by which the running kernel's section is found. -WV_E_NO_MATCH: too
 * many parts.
 */
int wv_parts_find(wv_parts *parts, struct wv_db *db, const uint64_t *offsets, size_t n,
		  struct wv_shadow_location *ret, struct wv_error *error);
void wv_parts_deinit(wv_parts *parts);

#endif /* WV_TEXT_PARTS_H */
