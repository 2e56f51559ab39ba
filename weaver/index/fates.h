/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places the fates of accesses that have no instruction of their own in an emitted function, as the
 * compiler has proven them. Each fate gets the symbol of that function. It is the symbol that has
 * the function's labels; or, if the function has no labels, the only symbol of the function's name.
 */
#ifndef WV_FATES_H
#define WV_FATES_H

#include "image/symbols.h"
#include "index/shadows.h"

/*
 * Fills @shadows->fates and .nr_fates from a sorted @merge. @shadows->list must be complete.
 */
int wv_fates_place(struct wv_shadows *shadows, const struct wv_merge *merge,
		   const struct wv_symbols *symbols, struct wv_error *error);

#endif /* WV_FATES_H */
