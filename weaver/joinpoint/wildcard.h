/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names with * and ?: which names of the kernel a pattern stands for. The database's queries know
 * exact names only; who has a pattern asks once for each name.
 */
#ifndef WEFT_JOINPOINT_WILDCARD_H
#define WEFT_JOINPOINT_WILDCARD_H

#include <stdbool.h>

#include "base/vec.h"
#include "joinpoint/db.h"

/* Callers of a function are found by reading all text, once for each function. */
#define WV_CALLED_MAX 256

struct wv_names {
	char **data;
	size_t n, size;
};

/* Whether its member or symbol is a pattern. */
bool wv_pointcut_is_pattern(const struct wv_pointcut *pointcut);

/* A copy with @name in the place of its member or symbol, unless that is NULL. -1: out of memory. */
int wv_pointcut_copy(const struct wv_pointcut *pointcut, const char *name, struct wv_pointcut *ret);

/*
 * The names that the pattern of @pointcut stands for, in their order. -WV_E_NO_MATCH where there is
 * none, or more than can be asked for.
 */
int wv_db_names(struct wv_db *db, const struct wv_pointcut *pointcut, struct wv_names *ret,
		struct wv_error *error);
void wv_names_deinit(struct wv_names *names);

#endif /* WEFT_JOINPOINT_WILDCARD_H */
