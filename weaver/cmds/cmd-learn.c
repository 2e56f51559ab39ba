// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft learn`: learns, before the first compile, how modules are built for a kernel. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmds/cmd.h"
#include "cmds/defaults.h"
#include "cmds/options.h"
#include "cmds/show-progress.h"
#include "module/kernel-folders.h"
#include "module/recipe-learn.h"

struct learn_options {
	const char *kernel, *kmod, *runtime, *output;
	bool again;
};

static const struct wv_option known[] = {
	WV_TEXT(struct learn_options, kernel, "kernel", 'k', "FOLDER", WV_COMPLETE_FOLDER,
		"the folder in which the kernel was built ($WEFT_KERNEL, or the running kernel's "
		"/lib/modules/RELEASE/build)"),
	WV_TEXT(struct learn_options, kmod, "kmod", 0, "FOLDER", WV_COMPLETE_FOLDER,
		"where weft.ko's Module.symvers is (beside weft)"),
	WV_TEXT(struct learn_options, runtime, "runtime", 0, "FOLDER", WV_COMPLETE_FOLDER,
		"where weft's runtime headers are ($WEFT_RUNTIME, or beside weft)"),
	WV_TEXT(struct learn_options, output, "output", 'o', "FOLDER", WV_COMPLETE_FOLDER,
		"the folder to write (default: recipe, beside weft.ko's Module.symvers)"),
	WV_FLAG(struct learn_options, again, "again", 0, "even if what is there is valid"),
	{ 0 }
};

/* Learns the recipe, unless there is a valid one in the folder @own already. */
static int learn(const struct learn_options *options, const struct wv_kbuild_folders *folders,
		 const char *own, struct wv_error *error)
{
	struct wv_recipe recipe = { 0 };
	int ret = 0;

	if (options->again || !wv_recipe_read(&recipe, own, folders)) {
		wv_progress_begin("learning", folders->kernel);
		ret = wv_recipe_learn(&recipe, own, folders, error);
		wv_progress_end();
	}
	if (!ret && recipe.reason)
		printf("%s: modules are built by kbuild: %s\n", own, recipe.reason);
	else if (!ret)
		printf("%s: modules are built without kbuild, by %zu commands that it used\n", own,
		       recipe.steps[WV_RECIPE_SOURCE].n + recipe.steps[WV_RECIPE_MODPOST].n +
			       recipe.steps[WV_RECIPE_SECOND].n + recipe.steps[WV_RECIPE_LINK].n);
	wv_recipe_deinit(&recipe);
	return ret;
}

static int run(int argc, char **argv, struct wv_error *error)
{
	_cleanup_free_ char *kernel = NULL, *kmod = NULL, *runtime = NULL;
	struct learn_options options = { 0 };
	char own[PATH_MAX];
	int first, ret = wv_options_parse(&wv_cmd_learn, argc, argv, &options, &first, error);

	if (ret)
		return ret;
	if (first < argc)
		return wv_usage(error, "learn", "%s: learn takes no operands", argv[first]);
	if (!options.kernel)
		options.kernel = wv_default_kernel();
	if (!options.kernel)
		return wv_usage(error, "learn",
				"no headers of the running kernel: apt install "
				"linux-headers-$(uname -r), or give --kernel FOLDER, or set "
				"WEFT_KERNEL");
	kernel = realpath(options.kernel, NULL);
	if (!kernel)
		return wv_fail(error, WV_E_FAILURE, "%s: no such folder", options.kernel);
	ret = wv_find_kmod(options.kmod, kernel, &kmod, error);
	if (!ret)
		ret = wv_find_runtime(options.runtime, &runtime, error);
	if (ret)
		return ret;
	snprintf(own, sizeof(own), "%s%s", options.output ? options.output : kmod,
		 options.output ? "" : "/recipe");
	return learn(&options, &(struct wv_kbuild_folders){ kernel, runtime, kmod }, own, error);
}

const struct wv_cmd wv_cmd_learn = {
	.name = "learn",
	.run = run,
	.summary = "learn how a kernel's modules are built, so that aspects compile fast",
	.usage = "[options]",
	.options = known,
	.notes = "An aspect's module is built by the kernel's own build system, kbuild, which\n"
		 "takes a second and more each time. `weft learn` runs it once, and keeps the\n"
		 "commands by which it has built a module: a recipe. Later modules are built by\n"
		 "these commands alone, in a tenth of the time. They are the same, byte for byte:\n"
		 "that is tried out, and where it is not so, kbuild goes on building. A recipe\n"
		 "holds until a header, the configuration, the compiler or the like changes.\n"
		 "\n"
		 "`make kmod` runs it. Where nobody has, the first compile of an aspect does so,\n"
		 "into ${XDG_CACHE_HOME:-~/.cache}/weft/recipes. A recipe takes 50 MB.\n",
	.examples = "weft learn\n"
		    "weft learn --kernel linux --kmod build/kmod\n",
};
