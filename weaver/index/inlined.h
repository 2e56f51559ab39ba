/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inlined instances of functions, each with the symbol that contains it and the source location
 * of its first instruction.
 */
#ifndef WV_INLINED_H
#define WV_INLINED_H

#include "image/dwarf/debug.h"
#include "image/dwarf/lines.h"
#include "image/symbols.h"
#include "index/shadows.h"

struct wv_inlined_list {
	const struct wv_pool *names;
	WV_VEC(struct wv_inlined_shadow {
		uint64_t address;
		uint32_t function; /* number of the inlined function's name in .names */
		/* position in wv_symbols.list of the function that it was inlined into */
		uint32_t symbol;
		struct wv_source_location location;
	}) list; /* sorted by name, address */
};

/*
 * @rows must be in the order of their line tables. Instances that no symbol contains are left out.
 * @debug must outlive @inlined.
 */
int wv_inlined_list_init(struct wv_inlined_list *inlined, const struct wv_debug *debug,
			 const wv_rows *rows, const struct wv_merge *merge,
			 const struct wv_symbols *symbols, struct wv_error *error);
void wv_inlined_list_deinit(struct wv_inlined_list *inlined);

#endif /* WV_INLINED_H */
