/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns kbuild's commands for one module into those of a recipe. */
#ifndef WV_RECIPE_WORDS_H
#define WV_RECIPE_WORDS_H

#include "base/error.h"
#include "base/str.h"
#include "module/build-commands.h"
#include "module/recipe.h"

/*
 * Replaces @folder and @name in *@text by the placeholder bytes WV_RECIPE_FOLDER and
 * WV_RECIPE_NAME. *@text is freed, and replaced by the new text. -WV_E_FORMAT: *@text has such
 * bytes already.
 */
int wv_recipe_generalize(char **text, const char *folder, const char *name,
			 struct wv_error *error);

/*
 * Finds the line of the module @name in @order, the text of kbuild's modules.order. Adds to @ret
 * the line that names this module in modpost's list. -WV_E_FORMAT: @order does not have the module.
 */
int wv_recipe_list_line(const char *order, const char *folder, const char *name,
			struct wv_str *ret, struct wv_error *error);

/*
 * Changes modpost's command so that it reads its list of modules from the file NAME.list in the
 * module's folder. Returns -WV_E_FORMAT if the command has another form than this function knows.
 */
int wv_recipe_give_list(wv_commands *modpost, struct wv_error *error);

/*
 * Checks that the recipe's steps have the form that the functions here expect, else returns
 * -WV_E_FORMAT.
 */
int wv_recipe_check_steps(const struct wv_recipe *recipe, struct wv_error *error);

/*
 * Changes the compiler's command, the first of @commands. Instead of the files of its -include
 * options, the command gets one header, the recipe's @header, which can be precompiled. Sets @text
 * to the text of this header, which includes those files. Macros that contain the module's name
 * cannot be in a precompiled header. Sets @names to their definitions: the text of a file
 * NAME@ending, which the command includes, too. @runtime: the folder of the runtime headers.
 * @directory: the folder in which the command runs.
 */
int wv_recipe_use_header(wv_commands *commands, const char *header, const char *ending,
			 const char *runtime, const char *directory, struct wv_str *names,
			 struct wv_str *text, struct wv_error *error);

/*
 * Makes @ret the command that precompiles a header for @compiler: the same options, without the
 * input and output files. -fcallgraph-info has to be among them if @compiler has it: GCC 12 crashes
 * in functions of a header that was precompiled without it.
 */
int wv_recipe_header_command(const struct wv_command *compiler, struct wv_command *ret,
			     struct wv_error *error);

/*
 * Merges @left and @right, the same text for two modules whose names have @n and @m bytes, and adds
 * the result to @ret. If numbers differ by as much as the two lengths, the result has
 * WV_RECIPE_LENGTH in their place. Returns false if the texts differ in anything else.
 */
bool wv_recipe_merge(const char *left, size_t n, const char *right, size_t m, struct wv_str *ret);

/*
 * Adds to @names a declaration of each global register variable in the preprocessed @header. GCC
 * forgets which variables are registers when it reads a precompiled header, and then schedules
 * instructions differently. Declaring them again after the header makes the code the same.
 */
void wv_recipe_add_registers(const char *header, struct wv_str *names);

/* Adds the preprocessor lines that @source begins with to @ret, up to the first other line. */
void wv_recipe_add_includes(const char *source, struct wv_str *ret);

#endif /* WV_RECIPE_WORDS_H */
