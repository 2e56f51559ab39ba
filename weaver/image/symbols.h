/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the functions of an image from its symbol table, and finds the entry shadow of each. The
 * entry shadow is where advice at the function's entry is woven. It lies after an endbr64, which
 * must stay in place because indirect branches land there, and after the five bytes that belong to
 * ftrace. Global labels of assembler code that are not functions, such as retpoline thunks, are
 * read for their names only.
 */
#ifndef WV_SYMBOLS_H
#define WV_SYMBOLS_H

#include "base/pool.h"
#include "image/image.h"

struct wv_symbol {
	const char *name;
	/*
	 * .size is in bytes. 0: the symbol table has no size; then the symbol counts as everything
	 * up to the next one.
	 */
	uint64_t address, size;
	uint32_t entry;		/* offset of the entry shadow from .address, in bytes */
	bool global;
	bool label; /* not a function */
	/*
	 * Another image defines the symbol, so its real address is not known here. .label is set,
	 * too. .address is one that lay_out() in image.c has chosen, after all sections of this
	 * image.
	 */
	bool import;
	bool alias; /* another function at this address has the preferred name */
};

struct wv_symbols {
	/* sorted by address; at one address the preferred name comes first, labels last */
	WV_VEC(struct wv_symbol) list;
	/*
	 * The address from which offsets are counted: that of _text, or of the first executable
	 * section. In a relocatable image it is WV_LAYOUT_START.
	 */
	uint64_t text;
};

/* Reads the symbols of @image, which must stay open as long as they are used. */
int wv_symbols_init(struct wv_symbols *symbols, struct wv_image *image, struct wv_error *error);
void wv_symbols_deinit(struct wv_symbols *symbols);

/*
 * Returns the function that contains @address, or NULL if none does. If the function has several
 * names, returns the preferred one.
 */
const struct wv_symbol *wv_symbols_at(const struct wv_symbols *symbols, uint64_t address);

/*
 * The position in the list of the first symbol at or after @address; the length of the list if
 * there is none.
 */
size_t wv_symbols_from(const struct wv_symbols *symbols, uint64_t address);

#endif /* WV_SYMBOLS_H */
