/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where recipes (recipe.h) are: beside weft.ko's Module.symvers, where `weft learn` has put one, or
 * in ${XDG_CACHE_HOME:-~/.cache}/weft/recipes, where the first compile of an aspect does.
 */
#ifndef WV_RECIPE_FIND_H
#define WV_RECIPE_FIND_H

#include "base/error.h"
#include "module/recipe.h"

/*
 * The valid recipe for @folders; if there is none, it is learned, into the cache. An error is no
 * reason not to run kbuild, unless weft was told to end (wv_child_interrupted()). With ->reason,
 * @ret is of no use.
 */
int wv_recipe_find(struct wv_recipe *ret, const struct wv_kbuild_folders *folders,
		   struct wv_error *error);

#endif /* WV_RECIPE_FIND_H */
