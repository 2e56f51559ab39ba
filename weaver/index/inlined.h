/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inlined instances of functions, each with the symbol that contains it and the source location
 * of its first instruction.
 */
#ifndef WV_INLINED_H
#define WV_INLINED_H

#include "image/dwarf/debug.h"
#include "image/symbols.h"
#include "index/shadows.h"
#include "index/source-places.h"

struct wv_inlined_list {
	const struct wv_pool *names;
	WV_VEC(struct wv_inlined_shadow {
		uint64_t address;
		uint32_t function; /* number of the inlined function's name in .names */
		/* position in wv_symbols.list of the function that it was inlined into */
		uint32_t symbol;
		struct wv_source_location location;
	}) list; /* sorted by name, address */
	/*
	 * indexed by number of a function's name: the position of the function among those in .list
	 */
	WV_VEC(uint32_t) numbers;
};

/*
 * Fills @inlined with the inlined instances of @debug, except those that no symbol contains. @debug
 * must outlive @inlined.
 */
int wv_inlined_list_init(struct wv_inlined_list *inlined, const struct wv_debug *debug,
			 const struct wv_source_places *places, const struct wv_symbols *symbols,
			 struct wv_error *error);
/*
 * Returns the number of a function, counted over the functions that have an instance in the list,
 * in the order of the list. @function is the number of the function's name. Returns WV_NOT_INLINED
 * if the function has no instance in the list, or if @function is WV_NOT_INLINED.
 */
uint32_t wv_inlined_number(const struct wv_inlined_list *inlined, uint32_t function);
void wv_inlined_list_deinit(struct wv_inlined_list *inlined);

#endif /* WV_INLINED_H */
