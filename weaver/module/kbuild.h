/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds modules from generated sources, in a temporary folder that is always removed afterwards.
 * The kernel's recipe (recipe.h) builds them or, if the kernel has none, kbuild (kbuild-make.h).
 * The modules are the same.
 *
 * A recipe is faster for two reasons. Each run of kbuild tests anew which options the compiler
 * knows. Each compile by kbuild reads a thousand of the kernel's headers. The two take nearly all
 * of the time.
 */
#ifndef WV_KBUILD_H
#define WV_KBUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"
#include "module/signing.h"

struct wv_kbuild_module {
	const char *name;   /* name of the module, different from the others in this run */
	const char *source; /* C source of the module */
	/*
	 * path of the .ko to write. An existing file is replaced in one step, and is untouched on
	 * failure. NULL: discard the module.
	 */
	const char *output;
	/*
	 * NULL, or a function that is called when all modules are built and no module is written to
	 * its .output yet. If the function returns an error, no module is written. @calls: the
	 * compiler's call graph of this module (call-graph.h); "" if the compiler cannot write one.
	 */
	int (*check)(void *context, const char *calls, struct wv_error *error);
	/*
	 * NULL, or a function that is called before .check, with the same @calls. The function adds
	 * data that are known only after the compile to the module at @path, which still has its
	 * debug information.
	 */
	int (*complete)(void *context, const char *path, const char *calls,
			struct wv_error *error);
	void *context;
};

struct wv_kbuild {
	const struct wv_kbuild_module *modules;
	size_t n;
	const char *kernel; /* build folder of the kernel */
	const char *runtime; /* folder of advice.h, absolute */
	const char *kmod;   /* folder of weft.ko's Module.symvers, absolute */
	const struct wv_signing *signing; /* how the finished modules are signed */
	/*
	 * If true, a run that prints anything counts as one that has built no module. Then the
	 * caller need not find out to which module a warning belongs.
	 */
	bool only_silent;
	bool by_kbuild; /* build by kbuild, even if there is a recipe */
};

enum wv_built {
	WV_NOT_BUILT,
	WV_NOT_BUILT_BY_RECIPE, /* a recipe was used and failed: kbuild may give more messages */
	WV_BUILT,
};

/*
 * Builds the modules. Returns 0 if the compiler and the other programs could be run, whether or not
 * they succeeded; sets *@built_ret to whether the modules were built. Errors that the compiler
 * finds in the source are only in @log. Returns an error if a program could not be run, if a check
 * of a finished module fails (.check, preserved.h, per-cpu.h), or if a module cannot be completed,
 * signed or written. @log gets everything that the programs printed and, if the modules were built,
 * whether a recipe or kbuild was used.
 */
int wv_kbuild_run(const struct wv_kbuild *build, enum wv_built *built_ret, struct wv_str *log,
		  struct wv_error *error);

/*
 * Writes the sources, each to a NAME.c, and a Kbuild file into @folder, which must exist. After
 * this the folder has all that `make M=` needs to build the modules.
 */
int wv_kbuild_write(const struct wv_kbuild *build, const char *folder, struct wv_error *error);

#endif /* WV_KBUILD_H */
