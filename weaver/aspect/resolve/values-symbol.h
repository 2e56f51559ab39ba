/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds $sym(name): symbols of the kernel. */
#ifndef WV_VALUES_SYMBOL_H
#define WV_VALUES_SYMBOL_H

#include "aspect/resolve/finder.h"

/* Looks up the symbols of every $sym() in @aspect, in one pass over the symbol table. */
int wv_find_symbols(struct wv_finder *finder, const struct wv_aspect *aspect);

/* Sets @ret to the C of the address of the symbol @name, as wv_find_symbols() has found it. */
int wv_find_symbol(struct wv_finder *finder, const char *name, struct wv_finding *ret);

#endif /* WV_VALUES_SYMBOL_H */
