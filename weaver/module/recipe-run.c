// SPDX-License-Identifier: GPL-2.0-or-later
/* Builds modules by a recipe; see recipe-run.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/cleanup.h"
#include "module/build-folder.h"
#include "module/recipe-run.h"

/*
 * Words in a source that make kbuild do more than the steps of a recipe do: kbuild adds symbol
 * versions for exported symbols, or a source version.
 */
static const char *const beyond[] = { "EXPORT_SYMBOL", "EXPORT_NS", "MODULE_VERSION" };

/*
 * Returns whether the folder's path has only characters without a special meaning in C strings, in
 * makefiles and in the lists that kbuild's tools read: the path is copied into all of these.
 */
static bool is_plain(const char *folder)
{
	return !folder[strspn(folder, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789/._-+")];
}

bool wv_recipe_suits(const struct wv_module_source *source, const char *folder)
{
	for (size_t i = 0; i < sizeof(beyond) / sizeof(*beyond); i++)
		if (strstr(source->text, beyond[i]))
			return false;
	return is_plain(folder);
}

int wv_recipe_run_command(const struct wv_recipe *recipe, const struct wv_command *command,
			  const char *const *more, const char *name, const char *folder,
			  const char *log, bool *ok_ret, struct wv_error *error)
{
	_cleanup_str_ struct wv_str directory = { 0 };
	const size_t n = command->words.n;
	size_t nr_more = 0;
	char **argv;
	int ret = 0;

	while (more && more[nr_more])
		nr_more++;
	argv = calloc(n + nr_more + 1, sizeof(*argv));
	for (size_t i = 0; argv && i < n + nr_more && !ret; i++) {
		struct wv_str word = { 0 };

		wv_recipe_expand(recipe, i < n ? command->words.data[i] : more[i - n], folder, name,
				 &word);
		argv[i] = word.data ? word.data : strdup("");
		if (word.failed || !argv[i])
			ret = wv_no_memory(error);
	}
	if (!argv)
		return wv_no_memory(error);
	wv_recipe_expand(recipe, recipe->directory, folder, name, &directory);
	if (!ret && directory.failed)
		ret = wv_no_memory(error);
	if (!ret)
		ret = wv_child_succeeds(&(struct wv_child){ .argv = argv, .log = log,
							    .folder = wv_str_text(&directory) },
					ok_ret, error);
	for (size_t i = 0; i < n + nr_more; i++)
		free(argv[i]);
	free(argv);
	return ret;
}

/* Writes the texts that the steps read, each to the file NAME with the text's ending. */
static int write_texts(const struct wv_recipe *recipe, const char *name, const char *folder,
		       struct wv_error *error)
{
	static const char *const endings[WV_RECIPE_TEXTS] = {
		[WV_RECIPE_NAMES] = ".names.h",
		[WV_RECIPE_SECOND_NAMES] = ".mod.names.h",
		[WV_RECIPE_OBJECTS] = ".mod",
		[WV_RECIPE_LIST] = ".list",
	};
	int ret = 0;

	for (size_t i = 0; i < WV_RECIPE_TEXTS && !ret; i++) {
		_cleanup_str_ struct wv_str text = { 0 }, file = { 0 };

		if (!endings[i])
			continue;
		wv_str_addf(&file, "%s%s", name, endings[i]);
		wv_recipe_expand(recipe, wv_str_text(&recipe->texts[i]), folder, name, &text);
		if (file.failed || text.failed)
			return wv_no_memory(error);
		ret = wv_build_file_write(folder, file.data, wv_str_text(&text), error);
	}
	return ret;
}

/*
 * Returns whether modpost has written the same .mod.c for this module as for most others. For that
 * .mod.c the recipe has the assembler text, in which only the module's name has to be filled in.
 */
static bool is_assembled(const struct wv_recipe *recipe, const char *name, const char *folder)
{
	_cleanup_str_ struct wv_str wanted = { 0 }, written = { 0 };
	char path[PATH_MAX];

	if (!recipe->texts[WV_RECIPE_ASSEMBLY].n ||
	    snprintf(path, sizeof(path), "%s/%s.mod.c", folder, name) >= PATH_MAX)
		return false;
	wv_recipe_expand(recipe, wv_str_text(&recipe->texts[WV_RECIPE_SECOND_SOURCE]), folder, name,
			 &wanted);
	wv_build_file_read(path, &written);
	return !wanted.failed && !written.failed &&
	       !strcmp(wv_str_text(&wanted), wv_str_text(&written));
}

/*
 * Writes the stored assembler text, and runs the compiler's command on it instead of on the .mod.c.
 */
static int assemble(const struct wv_recipe *recipe, const char *name, const char *folder,
		    const char *log, bool *ok_ret, struct wv_error *error)
{
	const struct wv_command *compiler = &recipe->steps[WV_RECIPE_SECOND].data[0];
	_cleanup_str_ struct wv_str text = { 0 };
	struct wv_command command = { 0 };
	char file[128];
	int ret = 0;

	snprintf(file, sizeof(file), "%s.mod.s", name);
	wv_recipe_expand(recipe, recipe->texts[WV_RECIPE_ASSEMBLY].data, folder, name, &text);
	if (text.failed)
		return wv_no_memory(error);
	ret = wv_build_file_write(folder, file, wv_str_text(&text), error);
	for (size_t i = 0; i < compiler->words.n && !ret; i++)
		ret = wv_command_add(&command, compiler->words.data[i], error);
	if (!ret) {
		char *source = command.words.data[command.words.n - 1];

		source[strlen(source) - 1] = 's';
		ret = wv_recipe_run_command(recipe, &command, NULL, name, folder, log, ok_ret,
					    error);
	}
	wv_command_deinit(&command);
	return ret;
}

static int run_step(const struct wv_recipe *recipe, enum wv_recipe_step step, const char *name,
		    const char *folder, const char *log, bool *ok_ret, struct wv_error *error)
{
	int ret = 0;

	*ok_ret = true;
	if (step == WV_RECIPE_SECOND && is_assembled(recipe, name, folder))
		return assemble(recipe, name, folder, log, ok_ret, error);
	wv_vec_for_each(command, &recipe->steps[step])
		if (!ret && *ok_ret)
			ret = wv_recipe_run_command(recipe, command, NULL, name, folder, log,
						    ok_ret, error);
	return ret;
}

int wv_recipe_run(const struct wv_recipe *recipe, const char *name, const char *folder,
		  const char *log, bool *ok_ret, struct wv_error *error)
{
	int ret = write_texts(recipe, name, folder, error);

	*ok_ret = true;
	for (size_t i = 0; i < WV_RECIPE_STEPS && !ret && *ok_ret; i++)
		ret = run_step(recipe, i, name, folder, log, ok_ret, error);
	return ret;
}
