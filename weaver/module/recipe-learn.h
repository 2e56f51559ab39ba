/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Learns a recipe (recipe.h). Runs kbuild over modules that differ only in their names, reads the
 * commands by which kbuild built them, and builds the modules once more by these commands. The
 * recipe is good only if all bytes are the same.
 */
#ifndef WV_RECIPE_LEARN_H
#define WV_RECIPE_LEARN_H

#include "base/error.h"
#include "module/recipe.h"

/*
 * Learns the recipe and writes it to the folder @own, which may exist. If kbuild works in a way
 * that cannot be learned, the reason is stored as @ret->reason and in the folder. Learning is then
 * not tried again until one of the files that kbuild reads has changed. An error means that kbuild
 * itself fails, that @own cannot be written, that there was no room or memory, or that weft was
 * told to end; then @own is unchanged, and the next try may succeed.
 */
int wv_recipe_learn(struct wv_recipe *ret, const char *own,
		    const struct wv_kbuild_folders *folders, struct wv_error *error);

#endif /* WV_RECIPE_LEARN_H */
