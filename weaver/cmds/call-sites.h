/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the calls that functions make, for `weft drill`: for each call its location, the called
 * function, and whether the call can be timed.
 */
#ifndef WV_CALL_SITES_H
#define WV_CALL_SITES_H

#include "live/apply.h"
#include "report/drill-tree.h"

struct wv_call_sites;

/* Opens the database file @db. No function is added yet. */
int wv_call_sites_create(const char *db, struct wv_call_sites **ret, struct wv_error *error);
void wv_call_sites_destroy(struct wv_call_sites *sites);

/*
 * Adds the calls of the function @name of the vmlinux. Returns -WV_E_NO_MATCH, and adds nothing, if
 * there is no such function, if several functions have this name, or if none of its calls can be
 * timed.
 */
int wv_call_sites_add(struct wv_call_sites *sites, const char *name, struct wv_error *error);

/*
 * Returns the functions that were added, and their number in *@n_ret. Valid until the next one is
 * added.
 */
const struct wv_drill_into *wv_call_sites_list(const struct wv_call_sites *sites, size_t *n_ret);

/*
 * Sets .refusal of each call at which a splice was refused when the aspect that times these calls
 * was woven. @module is the aspect's module, @summary the result of that weave.
 */
void wv_call_sites_refused(struct wv_call_sites *sites, const struct wv_aspect_module *module,
			   const struct wv_summary *summary);

#endif /* WV_CALL_SITES_H */
