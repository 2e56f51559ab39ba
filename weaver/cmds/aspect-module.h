/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From an aspect's file to its module, as the commands that need one do it: `compile`, and `weave`
 * and `run`, which take an aspect where they take a module. Prints notes and all errors but the
 * last, as commands do.
 */
#ifndef WEFT_CMDS_ASPECT_MODULE_H
#define WEFT_CMDS_ASPECT_MODULE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct wv_module_options {
	const char *aspect, *kernel, *db, *output, *kmod, *runtime;
	const char *keep; /* keep the C: "" beside the module, else in this folder; NULL: do not */
	const char *at_most; /* shadows, as it was written; NULL: the default */
	size_t limit;	     /* the same as a number */
	bool print_c, verbose;
};

/* Long options without a letter; what uses them begins its own behind them. */
enum { WV_OPTION_KMOD = 256, WV_OPTION_RUNTIME, WV_OPTION_AT_MOST, WV_OPTION_OTHERS };

/* For getopt_long(): ":k:d:v" and these rows. */
#define WV_MODULE_LETTERS "k:d:v"
#define WV_MODULE_OPTIONS                                          \
	{ "kernel", required_argument, NULL, 'k' },                \
	{ "db", required_argument, NULL, 'd' },                    \
	{ "kmod", required_argument, NULL, WV_OPTION_KMOD },       \
	{ "runtime", required_argument, NULL, WV_OPTION_RUNTIME }, \
	{ "at-most", required_argument, NULL, WV_OPTION_AT_MOST }, \
	{ "verbose", no_argument, NULL, 'v' }
#define WV_MODULE_HELP                                                                             \
	"  -k, --kernel FOLDER   the folder in which the kernel was built ($WEFT_KERNEL, or the\n" \
	"                        running kernel's /lib/modules/RELEASE/build)\n"                   \
	"  -d, --db FILE         the joinpoint database of that kernel ($WEFT_DB, or vmlinux.weft\n" \
	"                        in that folder)\n"                                                \
	"      --kmod FOLDER     where weft.ko's Module.symvers is (beside weft)\n"                \
	"      --runtime FOLDER  where weft's runtime headers are ($WEFT_RUNTIME, or beside weft)\n" \
	"      --at-most N       refuse an aspect that has more than N shadows (default: 10000)\n"     \
	"  -v, --verbose         show all that kbuild prints\n"

/* Takes one of the options above; *@taken_ret is false where @option is another. -WV_E_USAGE of @command for one given twice. */
int wv_module_option(struct wv_module_options *options, const char *command, int option, const char *value,
		     bool *taken_ret, struct wv_error *error);

/* Fills in kernel, database and limit where they were not said. -WV_E_USAGE of @command. */
int wv_module_defaults(struct wv_module_options *options, const char *command,
		       struct wv_error *error);

/* Writes options->output, or the C to standard output. *count_ret: shadows. */
int wv_module_build(const struct wv_module_options *options, size_t *count_ret,
		    struct wv_error *error);

/*
 * The module from the cache, built into it first where nothing of what it is made of was there
 * before. *count_ret is 0 where it was there.
 */
int wv_module_cached(struct wv_module_options *options, char path[PATH_MAX], size_t *count_ret,
		     struct wv_error *error);

#endif /* WEFT_CMDS_ASPECT_MODULE_H */
