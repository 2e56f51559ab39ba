/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of .debug_info as its own files see it: entries (dies.c) and the lists that they refer to (die-lists.c). */
#ifndef WV_DIES_INTERNAL_H
#define WV_DIES_INTERNAL_H

#include "image/dwarf/abbreviations.h"
#include "image/cursor.h"
#include "image/dwarf/dies.h"

struct wv_dies {
	struct wv_image *image;
	const struct wv_section *info, *abbrev, *str, *line_str, *rnglists, *ranges, *loclists, *loc;
	struct wv_abbreviations abbreviations; /* of the current unit */
	uint64_t next_unit;
	/* Of the current unit: */
	uint64_t start, end, base;
	uint16_t version;
	uint8_t address_size, offset_size;
};

#endif /* WV_DIES_INTERNAL_H */
