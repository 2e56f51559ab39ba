/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which kernel functions may sleep, and how: by the direct calls and jumps in the vmlinux's text
 * that lead to might_sleep(), cond_resched() or schedule().
 */
#ifndef WV_SLEEP_PATH_H
#define WV_SLEEP_PATH_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

struct wv_db;
struct wv_sleep_search;

/* Keeps what it decodes, so that later searches in the same functions are cheap. */
int wv_sleep_search_create(struct wv_db *db, struct wv_sleep_search **ret, struct wv_error *error);
void wv_sleep_search_destroy(struct wv_sleep_search *search);

/*
 * Ways through the function @name are no ways from now on: somebody knows that it does not sleep
 * where they get to it. All functions of that name, also static ones. @name must stay valid.
 * WV_SLEEP_ITSELF: nothing is changed, since it is where ways end.
 */
enum wv_sleep_trust { WV_SLEEP_TRUSTED, WV_SLEEP_ITSELF };
int wv_sleep_trust(struct wv_sleep_search *search, const char *name, enum wv_sleep_trust *ret,
		   struct wv_error *error);

/* Whether any way through @name, which is trusted, was met since, and leads to sleep. */
int wv_sleep_trust_is_needed(struct wv_sleep_search *search, const char *name, bool *ret,
			     struct wv_error *error);

/*
 * Whether the function @name may sleep. If so, *@path gets how: "dput -> might_sleep". False, too,
 * for a function that the vmlinux does not have, or if too many functions would have to be
 * searched. 0, or -WV_E_NO_MEMORY, -WV_E_FORMAT.
 */
int wv_sleep_path(struct wv_sleep_search *search, const char *name, bool *ret, struct wv_str *path,
		  struct wv_error *error);

#endif /* WV_SLEEP_PATH_H */
