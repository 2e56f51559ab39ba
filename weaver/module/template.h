/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Templates: modules from which others are made without a compiler. A template has stand-ins where
 * an aspect's module has the names of the aspect and of its metrics, and empty tables. All aspects
 * whose C differs only in these have one template in common: `weft count vfs_open --by comm` and
 * `weft count vfs_read --by comm`, for example. A copy of the template with the aspect's own names
 * and tables does the same as the module that the compiler would have made.
 */
#ifndef WV_TEMPLATE_H
#define WV_TEMPLATE_H

#include <limits.h>

#include "aspect/generate/tables.h"
#include "aspect/language/aspect-model.h"
#include "aspect/resolve/values.h"
#include "base/error.h"
#include "base/str.h"
#include "module/cache.h"

/* All zero: there is no template. */
struct wv_template {
	char path[PATH_MAX];	 /* of its file in the cache, whether that exists or not */
	struct wv_str source;	 /* its C */
	struct wv_tables tables; /* the tables of the aspect that it is looked for */
};

/*
 * Looks for the template of an aspect. Returns 0 and sets *@possible_ret to whether the aspect's
 * module can be made of one; then @ret describes the template, and the caller frees it.
 */
int wv_template_find(struct wv_aspect *aspect, const struct wv_selection *selection,
		     const struct wv_values *values, const char *incomplete,
		     const struct wv_cache_inputs *inputs, struct wv_template *ret,
		     bool *possible_ret, struct wv_error *error);
void wv_template_deinit(struct wv_template *template);

/*
 * Exchanges the names in @aspect and those that the template has in their place. The template is
 * compiled between two such calls.
 */
struct wv_template_names {
	char *name, *path;
	WV_VEC(char *) metrics;
};
int wv_template_names_init(struct wv_template_names *names, const struct wv_aspect *aspect,
			   struct wv_error *error);
void wv_template_names_swap(struct wv_template_names *names, struct wv_aspect *aspect);
void wv_template_names_deinit(struct wv_template_names *names);

/*
 * Writes the module of @aspect, made of the template, to the file @output. -WV_E_FORMAT: the
 * template's file cannot be used.
 */
int wv_template_fill(const struct wv_template *template, const struct wv_aspect *aspect,
		     const char *output, struct wv_error *error);

#endif /* WV_TEMPLATE_H */
