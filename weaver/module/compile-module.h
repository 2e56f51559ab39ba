/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles an aspect's file to a module, in these steps: read the aspect and the database, find
 * joinpoints and variables, generate C, run kbuild. Nothing is printed: notes and errors are
 * returned as messages, and progress is reported through base/progress.h.
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
 * Default of wv_compile.limit. Aspects that name their joinpoints one by one have fewer shadows,
 * and kbuild would need minutes for an aspect with many more.
 */
#define WV_COMPILE_LIMIT 10000

struct wv_cache_inputs;

/* The input of a compile. Strings are paths that belong to the caller. */
struct wv_compile {
	const char *aspect;
	/*
	 * the text of the aspect, if the aspect is in no file and .aspect is only a name; NULL: the
	 * text is in the file .aspect
	 */
	const struct wv_str *text;
	const char
		/* folder in which the kernel was built; may be NULL only if .output is NULL */
		*kernel;
	const char *db;	    /* the kernel's joinpoint database */
	/*
	 * folder of the modules that the database has; NULL: the folder that belongs to .kernel
	 * (kernel-folders.h)
	 */
	const char *modules;
	const char *kmod;   /* folder of weft.ko's Module.symvers; NULL: beside the program */
	const char *runtime; /* folder of weft's runtime headers; NULL: beside the program */
	/* the key that the module is signed with, and its certificate; NULL: see signing.h */
	const char *sign_key, *sign_certificate;
	const char *output; /* path of the module to write; NULL: only generate the C */
	/*
	 * folder in which to keep the C and its Kbuild; "": a folder beside .output; NULL: keep
	 * neither
	 */
	const char *keep;
	size_t limit;	    /* maximum number of shadows */
	bool by_kbuild;	    /* build by kbuild, even if there is a recipe (recipe.h) */
	/*
	 * what a template (template.h) depends on besides its C; NULL: do not make the module of a
	 * template
	 */
	const struct wv_cache_inputs *templates;
	bool filtered;	    /* generate checks of a filter that the user may give at weave time */
};

/*
 * The result of a compile; all zero: nothing was made. The messages are valid after a failure, too.
 */
struct wv_compile_result {
	size_t shadows;
	struct wv_str source; /* the generated C */
	struct wv_messages messages;
};

/*
 * Compiles the @n (at least one) aspects of the array @what. Its elements differ only in .aspect,
 * .text and .output; either all of them have an .output, or none has. Fills the array @ret, which
 * need not be initialized. Ends at the first aspect that fails:
 * - If its C could not be made, no module is written.
 * - If its module could not be built, the modules of the aspects before it may be written.
 *
 * If an aspect has several errors, @error is the last one, and the others are among the aspect's
 * messages. Or all errors are among the messages, and @error says only that there is no module.
 * Returns -WV_E_USAGE if @what lacks a setting that this aspect needs.
 */
int wv_compile(const struct wv_compile *what, size_t n, struct wv_compile_result *ret,
	       struct wv_error *error);

/*
 * Finds the module in the cache (cache.h), or compiles it into the cache; @path is the module's
 * path. @what->output must be NULL. If the module was in the cache already, @ret->shadows is 0, and
 * the messages are those that were stored when it was compiled.
 */
int wv_compile_cached(const struct wv_compile *what, char path[PATH_MAX],
		      struct wv_compile_result *ret, struct wv_error *error);

void wv_compile_result_deinit(struct wv_compile_result *compiled);

#endif /* WV_COMPILE_MODULE_H */
