/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names with * and ?: which names of the kernel a pattern stands for. The database's queries know
 * exact names of structs, members and functions only; a pattern is asked for name by name. (Files
 * have patterns of their own: file-name.h.)
 */
#ifndef WV_WILDCARD_H
#define WV_WILDCARD_H

#include <stdbool.h>

#include "base/vec.h"
#include "database/query.h"

struct wv_pointcuts {
	struct wv_pointcut *data;
	size_t n, size;
};

/* Whether its struct, member or symbol is a pattern. */
bool wv_pointcut_is_pattern(const struct wv_pointcut *pointcut);

/* -1: out of memory. */
int wv_pointcut_copy(const struct wv_pointcut *pointcut, struct wv_pointcut *ret);

/*
 * What @pattern stands for: itself with a name of the kernel in the place of each pattern, in the
 * order of the names. -WV_E_NO_MATCH where there is none, or more than can be asked for.
 */
int wv_db_spell_out(struct wv_db *db, const struct wv_pointcut *pattern, struct wv_pointcuts *ret,
		    struct wv_error *error);
void wv_pointcuts_deinit(struct wv_pointcuts *pointcuts);

/* As wv_db_query(), of a pointcut that may be a pattern. */
int wv_db_query_like(struct wv_db *db, const struct wv_pointcut *pointcut, struct wv_matches *ret,
		     struct wv_error *error);

#endif /* WV_WILDCARD_H */
