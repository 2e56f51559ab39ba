/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds where the fates of accesses hold, which the compiler has proven for accesses without an
 * instruction of their own. Each fate gets the symbol of the emitted function that it is about: the
 * symbol that has the function's labels; or, if the function has no labels, the only symbol of the
 * function's name.
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
