/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Templates: modules from which others are made without a compiler. In a template, stand-ins take
 * the place of the names of the aspect, of its file and of its metrics, and the tables are empty.
 * All aspects whose C differs only in these names have one template in common: `weft count vfs_open
 * --by comm` and `weft count vfs_read --by comm`, for example. A copy of the template with an
 * aspect's own names and tables does the same as the module that the compiler would have made of
 * the aspect.
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
	/* path of the template's file in the cache; the file need not exist */
	char path[PATH_MAX];
	struct wv_str source;	 /* the template's C */
	struct wv_tables tables; /* the tables of the aspect whose module is to be made */
};

/*
 * Looks for the template of an aspect. Sets *@possible_ret to whether the aspect's module can be
 * made of a template. If it can, @ret describes the template, whose file need not exist yet; the
 * caller frees @ret by wv_template_deinit().
 */
int wv_template_find(struct wv_aspect *aspect, const struct wv_selection *selection,
		     const struct wv_values *values, const char *incomplete,
		     const struct wv_cache_inputs *inputs, struct wv_template *ret,
		     bool *possible_ret, struct wv_error *error);
void wv_template_deinit(struct wv_template *template);

/*
 * The stand-ins of a template, for the names in an aspect. wv_template_names_swap() exchanges the
 * names in @aspect and the stand-ins. A template is compiled between two such calls, while the
 * aspect has the stand-ins.
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
 * Makes a copy of the template, with the names and tables of @aspect, and writes it to the file
 * @output. Returns -WV_E_FORMAT if the template's file cannot be used.
 */
int wv_template_fill(const struct wv_template *template, const struct wv_aspect *aspect,
		     const char *output, struct wv_error *error);

#endif /* WV_TEMPLATE_H */
