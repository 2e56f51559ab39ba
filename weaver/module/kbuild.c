// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs kbuild; see kbuild.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "module/build-folder.h"
#include "module/kbuild.h"
#include "module/kbuild-make.h"
#include "module/per-cpu.h"
#include "module/preserved.h"
#include "module/recipe-find.h"
#include "module/recipe-run.h"
#include "base/child.h"
#include "base/cleanup.h"

/* ---- completing the built modules ------------------------------------------------------------ */

static int copy_bytes(int from, int to)
{
	struct stat status;
	off_t offset = 0;

	if (fstat(from, &status))
		return -1;
	while (offset < status.st_size) {
		ssize_t n = sendfile(to, from, &offset, status.st_size - offset);

		if (n < 0)
			return -1;
		if (!n)
			break;
	}
	return fchmod(to, 0644) || fsync(to);
}

/*
 * Copies the module to a temporary file beside the output, then renames the copy to the output, so
 * that readers see either the old module or the new one, never a part of it. If the output is a
 * symbolic link, the file that the link leads to is replaced.
 */
static int install(const char *folder, const struct wv_kbuild_module *module,
		   struct wv_error *error)
{
	_cleanup_free_ char *existing = realpath(module->output, NULL);
	const char *output = existing ? existing : module->output;
	_cleanup_close_ int from = -1, to = -1;
	char built[PATH_MAX + 80], temporary[PATH_MAX];

	snprintf(built, sizeof(built), "%s/%s.ko", folder, module->name);
	if ((size_t)snprintf(temporary, sizeof(temporary), "%s.XXXXXX", output) >=
	    sizeof(temporary))
		return wv_fail_errno(error, ENAMETOOLONG, "%s", module->output);
	from = open(built, O_RDONLY | O_CLOEXEC);
	if (from < 0)
		return wv_fail_errno(error, errno, "%s", built);
	to = mkostemp(temporary, O_CLOEXEC);
	if (to < 0)
		return wv_fail_errno(error, errno, "%s", module->output);
	if (copy_bytes(from, to) || rename(temporary, output)) {
		int problem = errno;

		unlink(temporary);
		return wv_fail_errno(error, problem, "%s", module->output);
	}
	return 0;
}

/*
 * Removes the debug information of a module: nothing reads the debug information any more, and it
 * is 20 times as large as the rest.
 */
static int strip(char *path, const char *log, struct wv_error *error)
{
	char *argv[] = { "strip", "-g", path, NULL };
	bool ok;
	int ret = wv_child_succeeds(&(struct wv_child){ .argv = argv, .log = log }, &ok, error);

	if (!ret && !ok)
		ret = wv_fail(error, WV_E_FAILURE, "strip -g %s failed", path);
	return ret;
}

/* Checks the module that was built, and turns it into the file that will be installed. */
static int complete(const struct wv_kbuild_module *module, const char *folder, const char *log,
		    struct wv_error *error)
{
	_cleanup_str_ struct wv_str calls = { 0 };
	char path[PATH_MAX + 80];
	const char *graph;
	int ret;

	snprintf(path, sizeof(path), "%s/%s.ci", folder, module->name);
	wv_build_file_read(path, &calls);
	if (calls.failed)
		return wv_no_memory(error);
	graph = wv_str_text(&calls);
	snprintf(path, sizeof(path), "%s/%s.ko", folder, module->name);
	ret = wv_preserved_check(path, module->name, error);
	if (!ret)
		ret = wv_per_cpu_check(path, module->name, error);
	if (!ret && module->complete)
		ret = module->complete(module->context, path, graph, error);
	if (!ret)
		ret = strip(path, log, error);
	return ret || !module->check ? ret : module->check(module->context, graph, error);
}

/*
 * Signs the module @name in @folder. This is the last step, because a signature covers the whole
 * file.
 */
static int sign(const struct wv_signing *signing, const char *name, const char *folder,
		struct wv_error *error)
{
	_cleanup_str_ struct wv_str said = { 0 };
	char module[PATH_MAX + 80], log[PATH_MAX + 16];
	char *argv[] = { (char *)signing->tool, (char *)signing->hash, (char *)signing->key,
			 (char *)signing->certificate, module, NULL };
	bool ok;
	int ret;

	if (!signing->tool[0])
		return 0;
	snprintf(module, sizeof(module), "%s/%s.ko", folder, name);
	snprintf(log, sizeof(log), "%s/sign-log", folder);
	ret = wv_child_succeeds(&(struct wv_child){ .argv = argv, .log = log }, &ok, error);
	if (ret || ok)
		return ret;
	wv_build_file_read(log, &said);
	return wv_fail(error, WV_E_FAILURE,
		       "signing with %s failed (%.*s): name another key with --sign-key",
		       signing->key, (int)strcspn(wv_str_text(&said), "\n"), wv_str_text(&said));
}

/* Completes all modules, and only then writes them to their outputs. */
static int complete_and_install(const struct wv_kbuild *build, const char *folder, const char *log,
				struct wv_error *error)
{
	int ret = 0;

	for (size_t i = 0; i < build->n && !ret; i++) {
		ret = complete(&build->modules[i], folder, log, error);
		if (!ret)
			ret = sign(build->signing, build->modules[i].name, folder, error);
	}
	for (size_t i = 0; i < build->n && !ret; i++)
		if (build->modules[i].output)
			ret = install(folder, &build->modules[i], error);
	return ret;
}

/*
 * Refuses an output that exists and is no regular file, before time is spent on making the module.
 */
static int check_outputs(const struct wv_kbuild *build, struct wv_error *error)
{
	for (size_t i = 0; i < build->n; i++) {
		const char *output = build->modules[i].output;
		struct stat there;

		if (output && !stat(output, &there) && !S_ISREG(there.st_mode))
			return wv_fail(error, WV_E_FAILURE,
				       "%s: not a regular file, whose place a module could take",
				       output);
	}
	return 0;
}

/* ---- building the modules, by a recipe or by kbuild ------------------------------------------ */

/* Returns an array with the sources of the modules; the caller frees it. NULL: out of memory. */
static struct wv_module_source *sources_of(const struct wv_kbuild *build)
{
	struct wv_module_source *ret = calloc(build->n, sizeof(*ret));

	for (size_t i = 0; ret && i < build->n; i++)
		ret[i] = (struct wv_module_source){ build->modules[i].name,
						    build->modules[i].source };
	return ret;
}

int wv_kbuild_write(const struct wv_kbuild *build, const char *folder, struct wv_error *error)
{
	const struct wv_kbuild_folders folders = { build->kernel, build->runtime, build->kmod };
	_cleanup_free_ struct wv_module_source *sources = sources_of(build);

	if (!sources)
		return wv_no_memory(error);
	return wv_kbuild_sources(&folders, sources, build->n, "", folder, error);
}

/* How a run builds the modules, and its result. */
struct way {
	const char *folder, *log;
	bool by_recipe, ok;
	struct wv_str *said; /* text for --verbose: whether a recipe or kbuild was used, and why */
};

/*
 * Builds the modules by a recipe. Leaves way->by_recipe false if a recipe cannot build them; then
 * the caller runs kbuild.
 */
static int make_by_recipe(const struct wv_kbuild *build, const struct wv_kbuild_folders *folders,
			  const struct wv_module_source *sources, struct way *way,
			  struct wv_error *error)
{
	struct wv_recipe recipe = { 0 };
	int ret;

	for (size_t i = 0; i < build->n; i++)
		if (!wv_recipe_suits(&sources[i], way->folder))
			return 0;
	ret = wv_recipe_find(&recipe, folders, error);
	way->by_recipe = !ret && !recipe.reason;
	if (!way->by_recipe && !wv_child_interrupted())
		wv_str_addf(way->said, "weft: made by kbuild: %s\n",
			    ret ? error->message : recipe.reason);
	if (ret && !wv_child_interrupted())
		ret = 0;
	way->ok = way->by_recipe;
	for (size_t i = 0; i < build->n && !ret && way->ok; i++)
		ret = wv_recipe_run(&recipe, sources[i].name, way->folder, way->log, &way->ok,
				    error);
	if (way->by_recipe)
		wv_str_addf(way->said, "weft: made by the recipe in %s\n", recipe.own);
	wv_recipe_deinit(&recipe);
	return ret;
}

static int make(const struct wv_kbuild *build, struct way *way, struct wv_error *error)
{
	_cleanup_free_ char *kernel = realpath(build->kernel, NULL);
	const struct wv_kbuild_folders folders = { kernel, build->runtime, build->kmod };
	_cleanup_free_ struct wv_module_source *sources = sources_of(build);
	int ret = 0;

	if (!kernel)
		return wv_fail_errno(error, errno, "%s", build->kernel);
	if (!sources)
		return wv_no_memory(error);
	ret = wv_kbuild_sources(&folders, sources, build->n, "", way->folder, error);
	if (!ret && !build->by_kbuild)
		ret = make_by_recipe(build, &folders, sources, way, error);
	if (!ret && !way->by_recipe)
		ret = wv_kbuild_make(&folders, build->n > 1, way->folder, way->log, &way->ok,
				     error);
	return ret;
}

int wv_kbuild_run(const struct wv_kbuild *build, enum wv_built *built_ret, struct wv_str *log,
		  struct wv_error *error)
{
	_cleanup_str_ struct wv_str said = { 0 };
	char folder[PATH_MAX], log_path[PATH_MAX + 8];
	struct way way = { .folder = folder, .log = log_path, .said = &said };
	int ret;

	ret = check_outputs(build, error);
	if (!ret)
		ret = wv_build_folder_make(folder, error);
	if (ret)
		return ret;
	snprintf(log_path, sizeof(log_path), "%s/log", folder);
	ret = make(build, &way, error);
	if (!ret) {
		wv_build_file_read(log_path, log);
		way.ok &= !(build->only_silent && log->n);
		*built_ret = way.ok	   ? WV_BUILT :
			     way.by_recipe ? WV_NOT_BUILT_BY_RECIPE :
					     WV_NOT_BUILT;
		if (way.ok)
			ret = complete_and_install(build, folder, log_path, error);
	}
	wv_build_folder_remove(folder);
	if (!ret && way.ok)
		wv_str_add(log, wv_str_text(&said));
	if (!ret && log->failed)
		ret = wv_fail_errno(error, ENOMEM, "the compiler's output");
	return ret;
}
