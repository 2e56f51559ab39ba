/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles an aspect's file to a module: aspect and database -> joinpoints and variables -> C ->
 * kbuild. Prints nothing: notes and errors are returned as messages, and progress is reported
 * through base/progress.h.
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
 * Default limit. More shadows than any aspect that names its joinpoints one by one has, and fewer
 * than the number for which kbuild takes minutes.
 */
#define WV_COMPILE_LIMIT 10000

/* Input and settings of a compile. The strings are paths. */
struct wv_compile {
	const char *aspect;
	const char
		/* folder in which the kernel was built; may be NULL only if .output is NULL */
		*kernel;
	const char *db;	    /* the kernel's joinpoint database */
	const char *kmod;   /* folder of weft.ko's Module.symvers; NULL: beside the program */
	const char *runtime; /* folder of weft's runtime headers; NULL: beside the program */
	const char *output; /* the module; NULL: only the C is generated */
	const char *keep; /* folder for the C and its Kbuild; "": beside .output; NULL: not kept */
	size_t limit;	    /* maximum number of shadows */
	bool filtered;	    /* leave room for a filter given at weave time */
};

/* Result of a compile. All zero is empty. The messages are valid after a failure, too. */
struct wv_compiled {
	size_t shadows;
	struct wv_str source; /* C */
	struct wv_messages messages;
};

/*
 * @ret is overwritten. If there are several errors, @error is the last one and the others are among
 * the messages. -WV_E_USAGE: @what lacks a setting that this aspect needs.
 */
int wv_compile(const struct wv_compile *what, struct wv_compiled *ret, struct wv_error *error);

/*
 * Path of the module in the cache (cache.h); compiles it first if it is not there. @what->output
 * must be NULL. If the module was in the cache, @ret->shadows is 0 and the messages are those of
 * the original compile.
 */
int wv_compile_cached(const struct wv_compile *what, char path[PATH_MAX], struct wv_compiled *ret,
		      struct wv_error *error);

void wv_compiled_deinit(struct wv_compiled *compiled);

#endif /* WV_COMPILE_MODULE_H */
