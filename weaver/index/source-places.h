/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds where each byte of an image's code comes from: the file, line and column, and the innermost
 * inlined function around the byte. If the line tables have several rows for a byte, the last one
 * counts. The result is what the first line of `addr2line -i` shows.
 */
#ifndef WV_SOURCE_PLACES_H
#define WV_SOURCE_PLACES_H

#include "image/dwarf/debug.h"
#include "image/dwarf/lines.h"
#include "index/merge.h"
#include "index/shadows.h"

#define WV_NOT_INLINED UINT32_MAX

/* The code from .address up to the .address of the next element. */
struct wv_source_position {
	uint64_t address;
	struct wv_source_location location; /* line 0: unknown */
	/* number of the innermost inlined function's name in wv_debug.names, or WV_NOT_INLINED */
	uint32_t function;
};

struct wv_source_places {
	/* sorted by address; adjacent elements have different locations or functions */
	WV_VEC(struct wv_source_position) list;
};

/*
 * Fills @places from the line tables and the inlined instances. @rows: as wv_lines_read() has read
 * them.
 */
int wv_source_places_init(struct wv_source_places *places, const struct wv_debug *debug,
			  const wv_rows *rows, const struct wv_merge *merge,
			  struct wv_error *error);

/* Returns the source position of the code at @address; NULL: @address is before all of them. */
const struct wv_source_position *wv_source_places_at(const struct wv_source_places *places,
						     uint64_t address);
void wv_source_places_deinit(struct wv_source_places *places);

#endif /* WV_SOURCE_PLACES_H */
