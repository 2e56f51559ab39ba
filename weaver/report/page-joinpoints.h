/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An aspect's joinpoints for a page: where each is, how it is spliced, and the source around it. */
#ifndef WV_PAGE_JOINPOINTS_H
#define WV_PAGE_JOINPOINTS_H

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"
#include "live/apply.h"
#include "live/requests.h"
#include "module/module-file.h"

enum { WV_PAGE_JOINPOINTS_MAX = 5000 }; /* maximum number of joinpoints in a page */

struct wv_page_joinpoint {
	struct weft_joinpoint_text text;
	const char *splice; /* how the joinpoint is spliced, or why it is not; "": unknown */
};

struct wv_page_joinpoints {
	WV_VEC(struct wv_page_joinpoint) list;
	size_t all; /* number of all joinpoints; list.n is at most WV_PAGE_JOINPOINTS_MAX */
};

/*
 * Fills @ret with the joinpoints of an aspect's module, and with how each was spliced in the weave
 * whose result is @summary.
 */
int wv_page_joinpoints_of_module(const struct wv_aspect_module *module,
				 const struct wv_summary *summary,
				 struct wv_page_joinpoints *ret, struct wv_error *error);

/* Fills @ret with the joinpoints of the aspect with the status @status, as weft.ko has them. */
int wv_page_joinpoints_of_kernel(const struct wv_device *device, const struct weft_status *status,
				 struct wv_page_joinpoints *ret, struct wv_error *error);
void wv_page_joinpoints_deinit(struct wv_page_joinpoints *joinpoints);

/* Adds a line of JSON for each joinpoint; docs/aspect-language.md lists the keys. */
void wv_page_joinpoints_json(const struct wv_page_joinpoints *joinpoints, struct wv_str *out);

/*
 * Adds lines of JSON with the source around the joinpoints, from the files in @tree, the folder of
 * the kernel's source; NULL: it is not known. Leaves out files that are not there, and everything
 * after the limit of a page's source.
 */
void wv_page_joinpoints_source(const struct wv_page_joinpoints *joinpoints, const char *tree,
			       struct wv_str *out);

#endif /* WV_PAGE_JOINPOINTS_H */
