/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds recipes (recipe.h). They are in two places: beside weft.ko's Module.symvers, where `weft
 * learn` puts one; and in ${XDG_CACHE_HOME:-~/.cache}/weft/recipes, where the first compile of an
 * aspect puts one.
 */
#ifndef WV_RECIPE_FIND_H
#define WV_RECIPE_FIND_H

#include "base/error.h"
#include "module/recipe.h"

/*
 * Finds the valid recipe for @folders. If there is none, learns one and stores it in the cache.
 * After an error the caller can still build by kbuild, unless weft was told to end
 * (wv_child_interrupted()). If ret->reason is set, kbuild's commands cannot be learned on this
 * machine, and modules cannot be built by @ret.
 */
int wv_recipe_find(struct wv_recipe *ret, const struct wv_kbuild_folders *folders,
		   struct wv_error *error);

#endif /* WV_RECIPE_FIND_H */
