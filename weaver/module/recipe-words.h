/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns kbuild's commands for one module into those of a recipe. */
#ifndef WV_RECIPE_WORDS_H
#define WV_RECIPE_WORDS_H

#include "base/error.h"
#include "base/str.h"
#include "module/build-commands.h"
#include "module/recipe.h"

/*
 * Puts WV_RECIPE_FOLDER and WV_RECIPE_NAME in the place of @folder and @name in *@text, which is
 * replaced. -WV_E_FAILURE: it has such bytes already.
 */
int wv_recipe_generalize(char **text, const char *folder, const char *name,
			 struct wv_error *error);

/* Finds the module @name in @order, kbuild's list, and adds that line as modpost is given it. */
int wv_recipe_list_line(const char *order, const char *folder, const char *name,
			struct wv_str *ret, struct wv_error *error);

/* Has modpost read a list that is a file of each module's own. */
int wv_recipe_give_list(wv_commands *modpost, struct wv_error *error);

/* Whether the steps are what the rest expects of them; -WV_E_FAILURE: no. */
int wv_recipe_check_steps(const struct wv_recipe *recipe, struct wv_error *error);

/*
 * Has the compiler, the first of @commands, begin with the header @header of the recipe instead of
 * the files that it includes by its options: these become text in @text. What it defines by the
 * module's name comes from the file NAME@ending, whose text becomes @names. The runtime's headers
 * are in @runtime. @directory: where the command runs.
 */
int wv_recipe_use_header(wv_commands *commands, const char *header, const char *ending,
			 const char *runtime, const char *directory, struct wv_str *names,
			 struct wv_str *text, struct wv_error *error);

/*
 * The words of such a compiler that also decide what a precompiled header is: all but its files.
 * GCC 12 crashes in functions of a header that was precompiled without -fcallgraph-info, if that is
 * given where the header is used.
 */
int wv_recipe_header_command(const struct wv_command *compiler, struct wv_command *ret,
			     struct wv_error *error);

/*
 * Adds the text that the names of two modules, of the lengths @n and @m, have made @left and @right
 * of: numbers that differ by their lengths become WV_RECIPE_LENGTH. False: the texts differ in
 * something else.
 */
bool wv_recipe_merge(const char *left, size_t n, const char *right, size_t m, struct wv_str *ret);

/*
 * Adds a declaration for each variable of the preprocessed @header that is a register. A compiler
 * that reads a precompiled header forgets which registers those are, and then orders instructions
 * in another way: the declaration reminds it.
 */
void wv_recipe_add_registers(const char *header, struct wv_str *names);

/* Adds the lines of the preprocessor that C begins with. */
void wv_recipe_add_includes(const char *source, struct wv_str *ret);

#endif /* WV_RECIPE_WORDS_H */
