/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From an aspect's file to its module: aspect and database -> joinpoints and variables -> C ->
 * kbuild. Prints nothing: what is to be said comes back as messages, and base/progress.h is told
 * how far it is.
 */
#ifndef WV_COMPILE_MODULE_H
#define WV_COMPILE_MODULE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "module/messages.h"
#include "base/error.h"
#include "base/str.h"

/*
 * More shadows than any aspect has that names its points one by one, and fewer than what takes
 * kbuild minutes.
 */
#define WV_COMPILE_LIMIT 10000

/* What is compiled, and against what: paths. */
struct wv_compile {
	const char *aspect;
	const char
		*kernel; /* folder in which it was built; NULL is possible only without .output */
	const char *db;	    /* the kernel's joinpoint database */
	const char *kmod;   /* folder of weft.ko's Module.symvers; NULL: beside the program */
	const char *runtime; /* folder of weft's runtime headers; NULL: beside the program */
	const char *output; /* the module; NULL: no module is built, only the C is made */
	const char *keep; /* folder for the C and its Kbuild; "": beside .output; NULL: not kept */
	size_t limit;	    /* shadows */
	bool filtered;	    /* with room for a filter of the weave */
};

/* What came of it. All zero is empty. The messages are there after a failure, too. */
struct wv_compiled {
	size_t shadows;
	struct wv_str source; /* C */
	struct wv_messages messages;
};

/*
 * @ret is filled anew. Where several things are wrong @error is the last of them and the others
 * are among the messages. -WV_E_USAGE: @what lacks something that this aspect needs.
 */
int wv_compile(const struct wv_compile *what, struct wv_compiled *ret, struct wv_error *error);

/*
 * The module from the cache (cache.h), compiled into it first where it is not there. @what has no
 * .output. .shadows is 0 where it was there: then the messages are those of its compile.
 */
int wv_compile_cached(const struct wv_compile *what, char path[PATH_MAX], struct wv_compiled *ret,
		      struct wv_error *error);

void wv_compiled_deinit(struct wv_compiled *compiled);

#endif /* WV_COMPILE_MODULE_H */
