/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds which kernel functions may sleep, and by which calls. A function may sleep if direct calls
 * and jumps in the vmlinux's text lead from it to a function that sleeps by itself, such as
 * might_sleep(), cond_resched() or schedule().
 */
#ifndef WV_SLEEP_PATH_H
#define WV_SLEEP_PATH_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

struct wv_db;
struct wv_sleep_search;

/*
 * Creates a search. It keeps all functions that it decodes, so that later calls for them are cheap.
 */
int wv_sleep_search_create(struct wv_db *db, struct wv_sleep_search **ret, struct wv_error *error);
void wv_sleep_search_destroy(struct wv_sleep_search *search);

/*
 * Notes that the function @name does not sleep when advice calls it, directly or through other
 * functions. Later searches do not follow the calls of functions of this name, static ones
 * included. @name must stay valid until the search is destroyed. Sets *@ret to WV_SLEEP_TRUSTED. If
 * @name is the name of a function that sleeps by itself, sets *@ret to WV_SLEEP_ITSELF and notes
 * nothing.
 */
enum wv_sleep_trust { WV_SLEEP_TRUSTED, WV_SLEEP_ITSELF };
int wv_sleep_trust(struct wv_sleep_search *search, const char *name, enum wv_sleep_trust *ret,
		   struct wv_error *error);

/*
 * Sets *@ret to whether wv_sleep_trust() of @name may have changed a result: a search has reached a
 * function of this name since then, and a path from this function leads to one that sleeps.
 */
int wv_sleep_trust_is_needed(struct wv_sleep_search *search, const char *name, bool *ret,
			     struct wv_error *error);

/*
 * Sets *@ret to whether the function @name may sleep. If it may, adds to @path the calls that lead
 * to the sleep: "dput -> might_sleep". *@ret is false also in two other cases:
 * - The vmlinux has no global function @name.
 * - The search gave up. It is limited to FUNCTIONS_MAX functions and to DEPTH_MAX calls in a path.
 * Returns 0, -WV_E_NO_MEMORY or -WV_E_FORMAT.
 */
int wv_sleep_path(struct wv_sleep_search *search, const char *name, bool *ret, struct wv_str *path,
		  struct wv_error *error);

#endif /* WV_SLEEP_PATH_H */
