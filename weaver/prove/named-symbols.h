/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All symbols of an image, functions and data, to be found by name or by address. */
#ifndef WV_NAMED_SYMBOLS_H
#define WV_NAMED_SYMBOLS_H

#include "base/pool.h"
#include "image/image.h"

struct wv_named {
	const char *name;
	uint64_t address, size;
	uint32_t number; /* number of the name in wv_named_symbols.names */
	bool global;	 /* global or weak */
};

struct wv_named_symbols {
	struct wv_pool names;
	/* sorted by number, then global ones first, then by address */
	WV_VEC(struct wv_named) list;
	/* the position in .list of each name's first symbol; indexed by number of the name */
	WV_VEC(uint32_t) first;
	WV_VEC(uint32_t) by_address;  /* positions in .list, sorted by address */
};

int wv_named_symbols_init(struct wv_named_symbols *named, struct wv_image *image,
			  struct wv_error *error);
void wv_named_symbols_deinit(struct wv_named_symbols *named);

/* Returns the symbols with the name @name, *@n_ret of them. NULL: there are none. */
const struct wv_named *wv_named_find(const struct wv_named_symbols *named, const char *name,
				     size_t *n_ret);

/* Returns the last symbol at or before @address. NULL: there is none. */
const struct wv_named *wv_named_at(const struct wv_named_symbols *named, uint64_t address);

#endif /* WV_NAMED_SYMBOLS_H */
