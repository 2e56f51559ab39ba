/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calls that functions make, with what is known of each before it runs; for `weft drill`. */
#ifndef WV_CALL_SITES_H
#define WV_CALL_SITES_H

#include "live/apply.h"
#include "report/drill-tree.h"

struct wv_call_sites;

/* @db: a database's file. */
int wv_call_sites_create(const char *db, struct wv_call_sites **ret, struct wv_error *error);
void wv_call_sites_destroy(struct wv_call_sites *sites);

/*
 * Adds function @name of the vmlinux. -WV_E_NO_MATCH: there is no such function, or several have
 * the name, or none of the calls that it makes can be timed; then nothing is added.
 */
int wv_call_sites_add(struct wv_call_sites *sites, const char *name, struct wv_error *error);

/* The functions that were added, *@n_ret of them. Valid until the next is added. */
const struct wv_drill_into *wv_call_sites_list(const struct wv_call_sites *sites, size_t *n_ret);

/* Notes what has been refused when @module, whose calls these are, was woven. */
void wv_call_sites_refused(struct wv_call_sites *sites, const struct wv_aspect_module *module,
			   const struct wv_summary *summary);

#endif /* WV_CALL_SITES_H */
