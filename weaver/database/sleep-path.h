/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds which kernel functions may sleep, and by which calls: by direct calls and jumps, in the
 * vmlinux's text, that lead to might_sleep(), cond_resched() or schedule().
 */
#ifndef WV_SLEEP_PATH_H
#define WV_SLEEP_PATH_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

struct wv_db;
struct wv_sleep_search;

/* A search keeps the functions that it decodes, so that later searches in them are cheap. */
int wv_sleep_search_create(struct wv_db *db, struct wv_sleep_search **ret, struct wv_error *error);
void wv_sleep_search_destroy(struct wv_sleep_search *search);

/*
 * From now on, paths through the function @name are not followed: the author has stated that it
 * does not sleep where such a path calls it. This holds for all functions of that name, also static
 * ones. @name must stay valid. WV_SLEEP_ITSELF: nothing is changed, since the function sleeps by
 * itself.
 */
enum wv_sleep_trust { WV_SLEEP_TRUSTED, WV_SLEEP_ITSELF };
int wv_sleep_trust(struct wv_sleep_search *search, const char *name, enum wv_sleep_trust *ret,
		   struct wv_error *error);

/*
 * *@ret: has a search since come to @name, which is trusted, and does a path from there lead to
 * sleep?
 */
int wv_sleep_trust_is_needed(struct wv_sleep_search *search, const char *name, bool *ret,
			     struct wv_error *error);

/*
 * *@ret: may the function @name sleep? If so, *@path gets the calls: "dput -> might_sleep". False
 * also for a function that the vmlinux does not have, or if too many functions would have to be
 * searched. Returns 0, -WV_E_NO_MEMORY or -WV_E_FORMAT.
 */
int wv_sleep_path(struct wv_sleep_search *search, const char *name, bool *ret, struct wv_str *path,
		  struct wv_error *error);

#endif /* WV_SLEEP_PATH_H */
