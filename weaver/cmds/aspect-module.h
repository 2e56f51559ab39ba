/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands' side of a compile (module/compile-module.h): its options, and printing of its
 * messages. Used by `compile`, and by `weave` and `run`, which accept an aspect in the place of a
 * module.
 */
#ifndef WV_ASPECT_MODULE_H
#define WV_ASPECT_MODULE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "module/compile-module.h"
#include "base/error.h"
#include "cmds/option-row.h"

struct wv_module_options {
	struct wv_compile what;
	bool print_c; /* print the C to standard output; build no module */
	bool verbose; /* show kbuild's whole output */
};

/* Initial value, before the command line is parsed. */
#define WV_MODULE_DEFAULTS { .what.limit = WV_COMPILE_LIMIT }

/*
 * The option rows of every command that makes a module. @in is the path from @type to its struct
 * wv_module_options: "" or "module.".
 */
#define WV_MODULE_OPTIONS(type, in)                                                                \
	WV_TEXT(type, in what.kernel, "kernel", 'k', "FOLDER", WV_COMPLETE_FOLDER,                 \
		"the folder in which the kernel was built ($WEFT_KERNEL, or the running kernel's " \
		"/lib/modules/RELEASE/build)"),                                                    \
		WV_TEXT(type, in what.db, "db", 'd', "DB", WV_COMPLETE_DATABASE,                   \
			"the joinpoint database of that kernel ($WEFT_DB, or vmlinux.weft in "     \
			"that folder)"),                                                           \
		WV_TEXT(type, in what.kmod, "kmod", 0, "FOLDER", WV_COMPLETE_FOLDER,               \
			"where weft.ko's Module.symvers is (beside weft)"),                        \
		WV_TEXT(type, in what.runtime, "runtime", 0, "FOLDER", WV_COMPLETE_FOLDER,         \
			"where weft's runtime headers are ($WEFT_RUNTIME, or beside weft)"),       \
		WV_NUMBER(type, in what.limit, "at-most", 0, "N",                                  \
			  "refuse an aspect that has more than N shadows (default: 10000)"),       \
		WV_FLAG(type, in verbose, "verbose", 'v', "show all that kbuild prints")

/*
 * Fills in defaults for kernel and database. -WV_E_USAGE, with @command's name, if there are none.
 */
int wv_module_complete(struct wv_module_options *options, const char *command,
		       struct wv_error *error);

/*
 * Writes options->what.output, or the C to standard output. *@shadows_ret is the number of shadows.
 */
int wv_module_build(const struct wv_module_options *options, size_t *shadows_ret,
		    struct wv_error *error);

/*
 * Path of the module in the cache; compiles it first if it is not there. *@shadows_ret is 0 if it
 * was there.
 */
int wv_module_cached(const struct wv_module_options *options, char path[PATH_MAX],
		     size_t *shadows_ret, struct wv_error *error);

#endif /* WV_ASPECT_MODULE_H */
