/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a module by a recipe, without kbuild. */
#ifndef WV_RECIPE_RUN_H
#define WV_RECIPE_RUN_H

#include <stdbool.h>

#include "base/error.h"
#include "module/recipe.h"

/*
 * Returns whether the module can be built by a recipe. Returns false if the module's source needs a
 * step that recipes do not have, or if the folder's path has special characters.
 */
bool wv_recipe_suits(const struct wv_module_source *source, const char *folder);

/*
 * Makes NAME.ko from NAME.c in @folder, which wv_kbuild_sources() has filled. All output of the
 * programs goes to the file @log. Sets *@ok_ret to whether all of the programs succeeded.
 */
int wv_recipe_run(const struct wv_recipe *recipe, const char *name, const char *folder,
		  const char *log, bool *ok_ret, struct wv_error *error);

/*
 * Runs one command of the recipe for the module @name in @folder. @more: NULL, or words to add at
 * the command's end, a list that ends in NULL. Sets *@ok_ret to whether the command succeeded.
 */
int wv_recipe_run_command(const struct wv_recipe *recipe, const struct wv_command *command,
			  const char *const *more, const char *name, const char *folder,
			  const char *log, bool *ok_ret, struct wv_error *error);

#endif /* WV_RECIPE_RUN_H */
