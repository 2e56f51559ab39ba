/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the functions in which the fates of accesses hold. The compiler proves a fate for an access
 * that has no instruction of its own in an emitted function. So each fate gets the symbol of that
 * function: the symbol that contains the function's labels. If the function has no labels, it is
 * the symbol with the function's name, provided that only one symbol has this name.
 */
#ifndef WV_FATES_H
#define WV_FATES_H

#include "image/symbols.h"
#include "index/shadows.h"

/*
 * Fills @shadows->fates and .nr_fates: the fates of the image's accesses that have no instruction.
 * @merge: the joinpoint tables of the image's units, after wv_merge_sort(). @shadows->list must
 * have all shadows already, because a fate may refer to one of them.
 */
int wv_fates_place(struct wv_shadows *shadows, const struct wv_merge *merge,
		   const struct wv_symbols *symbols, struct wv_error *error);

#endif /* WV_FATES_H */
