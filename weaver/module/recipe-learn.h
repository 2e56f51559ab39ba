/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Learns a recipe (recipe.h): runs kbuild over two modules that differ in their names, reads by
 * which commands it made them, and makes them once more by these. Only if all bytes are the same,
 * it is a recipe.
 */
#ifndef WV_RECIPE_LEARN_H
#define WV_RECIPE_LEARN_H

#include "base/error.h"
#include "module/recipe.h"

/*
 * Makes the folder @own, or replaces it. What is wrong with a way that cannot be learned becomes
 * @ret->reason, and is written too: it is not tried again before something has changed. Errors:
 * kbuild does not work there, or @own cannot be written; nothing is changed then.
 */
int wv_recipe_learn(struct wv_recipe *ret, const char *own,
		    const struct wv_kbuild_folders *folders, struct wv_error *error);

#endif /* WV_RECIPE_LEARN_H */
