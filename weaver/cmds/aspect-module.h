/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From an aspect's file to its module, as the commands that need one do it: `compile`, and `weave`
 * and `run`, which take an aspect where they take a module. Prints notes and all errors but the
 * last, as commands do.
 */
#ifndef WV_ASPECT_MODULE_H
#define WV_ASPECT_MODULE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "cmds/option-row.h"

struct wv_module_options {
	const char *aspect, *kernel, *db, *output, *kmod, *runtime;
	const char *keep; /* keep the C: "" beside the module, else in this folder; NULL: do not */
	size_t limit;	  /* shadows */
	bool print_c, verbose;
	bool filtered; /* with room for a filter of the weave */
};

/* Before the command line is parsed. */
extern const struct wv_module_options wv_module_defaults;

/* The rows of every command that makes a module. @in is the way to the struct wv_module_options in @type: "" or "module.". */
#define WV_MODULE_OPTIONS(type, in)                                                                    \
	WV_TEXT(type, in kernel, "kernel", 'k', "FOLDER", WV_COMPLETE_FOLDER,                             \
		"the folder in which the kernel was built ($WEFT_KERNEL, or the running kernel's "     \
		"/lib/modules/RELEASE/build)"),                                                        \
	WV_TEXT(type, in db, "db", 'd', "DB", WV_COMPLETE_DATABASE,                                       \
		"the joinpoint database of that kernel ($WEFT_DB, or vmlinux.weft in that folder)"),   \
	WV_TEXT(type, in kmod, "kmod", 0, "FOLDER", WV_COMPLETE_FOLDER,                                   \
		"where weft.ko's Module.symvers is (beside weft)"),                                    \
	WV_TEXT(type, in runtime, "runtime", 0, "FOLDER", WV_COMPLETE_FOLDER,                             \
		"where weft's runtime headers are ($WEFT_RUNTIME, or beside weft)"),                   \
	WV_NUMBER(type, in limit, "at-most", 0, "N",                                                   \
		  "refuse an aspect that has more than N shadows (default: 10000)"),                   \
	WV_FLAG(type, in verbose, "verbose", 'v', "show all that kbuild prints")

/* Fills in kernel and database where they were not said. -WV_E_USAGE of @command. */
int wv_module_complete(struct wv_module_options *options, const char *command, struct wv_error *error);

/* Writes options->output, or the C to standard output. *count_ret: shadows. */
int wv_module_build(const struct wv_module_options *options, size_t *count_ret,
		    struct wv_error *error);

/*
 * The module from the cache, built into it first where nothing of what it is made of was there
 * before. *count_ret is 0 where it was there.
 */
int wv_module_cached(struct wv_module_options *options, char path[PATH_MAX], size_t *count_ret,
		     struct wv_error *error);

#endif /* WV_ASPECT_MODULE_H */
