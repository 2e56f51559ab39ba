/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of the reader of .debug_info, for the files that are it: dies.c and die-lists.c. Others
 * have it opaque (dies.h).
 */
#ifndef WV_DIES_READER_H
#define WV_DIES_READER_H

#include <stdint.h>

#include "image/dwarf/abbreviations.h"

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

#endif /* WV_DIES_READER_H */
