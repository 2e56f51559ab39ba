/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of an image by its symbol table, with the place of each one's entry shadow: behind
 * an endbr64, which must stay the landing pad, and behind the five bytes that ftrace owns.
 * Assembler code's global labels that are no functions (retpoline thunks) are kept for their names
 * only.
 */
#ifndef WV_SYMBOLS_H
#define WV_SYMBOLS_H

#include "base/pool.h"
#include "image/image.h"

struct wv_symbol {
	const char *name;
	uint64_t address, size; /* a symbol without a size reaches up to the next one */
	uint32_t entry;		/* offset of the entry shadow */
	bool global;
	bool label; /* no function */
	bool alias; /* a function that another one at this address is the preferred name of */
};

struct wv_symbols {
	/* by address; of one address the preferred name comes first, labels last */
	WV_VEC(struct wv_symbol) list;
	uint64_t text;		       /* address of _text, or of the first executable section */
};

/* @image must stay open as long as the symbols are used. */
int wv_symbols_init(struct wv_symbols *symbols, struct wv_image *image, struct wv_error *error);
void wv_symbols_deinit(struct wv_symbols *symbols);

/* The function (by its preferred name) that holds @address, or NULL. */
const struct wv_symbol *wv_symbols_at(const struct wv_symbols *symbols, uint64_t address);

/*
 * The position in the list of the first symbol at or behind @address; the list's length when there
 * is none.
 */
size_t wv_symbols_from(const struct wv_symbols *symbols, uint64_t address);

#endif /* WV_SYMBOLS_H */
