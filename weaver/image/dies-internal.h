/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of .debug_info as its own files see it: entries (dies.c) and the lists that they refer to (die-lists.c). */
#ifndef WEFT_IMAGE_DIES_INTERNAL_H
#define WEFT_IMAGE_DIES_INTERNAL_H

#include "image/cursor.h"
#include "image/dies.h"

struct wv_dies_attribute {
	uint32_t name, form;
	int64_t constant; /* of DW_FORM_implicit_const */
};

struct wv_dies_abbreviation {
	uint32_t tag, first, n; /* attributes */
	bool children;
};

struct wv_dies {
	struct wv_image *image;
	const struct wv_section *info, *abbrev, *str, *line_str, *rnglists, *ranges, *loclists, *loc;
	WV_VEC(struct wv_dies_attribute) attributes;
	WV_VEC(struct wv_dies_abbreviation) abbreviations; /* by code; n 0 and tag 0: none */
	uint64_t next_unit;
	/* Of the current unit: */
	uint64_t start, end, base, abbrev_offset;
	bool has_abbreviations;
	uint16_t version;
	uint8_t address_size, offset_size;
};

#endif /* WEFT_IMAGE_DIES_INTERNAL_H */
