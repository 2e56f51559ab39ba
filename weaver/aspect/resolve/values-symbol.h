/* SPDX-License-Identifier: GPL-2.0-or-later */
/* $sym(name): symbols of the kernel. */
#ifndef WV_VALUES_SYMBOL_H
#define WV_VALUES_SYMBOL_H

#include "aspect/resolve/finder.h"

/* Looks up all that @aspect names, in one walk through the symbol table. */
int wv_find_symbols(struct wv_finder *finder, const struct wv_aspect *aspect);

/* One of them. */
int wv_find_symbol(struct wv_finder *finder, const char *name, struct wv_finding *ret);

#endif /* WV_VALUES_SYMBOL_H */
