/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands' side of a compile (aspect/compile-module.h): its options, and its messages
 * printed. For `compile`, and for `weave` and `run`, which take an aspect where they take a
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
	bool print_c; /* the C to standard output, and no module */
	bool verbose; /* all that kbuild prints */
};

/* Before the command line is parsed. */
#define WV_MODULE_DEFAULTS { .what.limit = WV_COMPILE_LIMIT }

/*
 * The rows of every command that makes a module. @in is the way to the struct wv_module_options in
 * @type: "" or "module.".
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

/* Fills in kernel and database where they are not given. -WV_E_USAGE of @command. */
int wv_module_complete(struct wv_module_options *options, const char *command,
		       struct wv_error *error);

/* Writes options->what.output, or the C to standard output. *@shadows_ret: how many there are. */
int wv_module_build(const struct wv_module_options *options, size_t *shadows_ret,
		    struct wv_error *error);

/*
 * The module from the cache, compiled into it first where it is not there: then *@shadows_ret is
 * not 0.
 */
int wv_module_cached(const struct wv_module_options *options, char path[PATH_MAX],
		     size_t *shadows_ret, struct wv_error *error);

#endif /* WV_ASPECT_MODULE_H */
