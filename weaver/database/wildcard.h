/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expands names with * and ? to names of the kernel. The database's queries take exact names of
 * structs, members and functions only, so a pattern is queried name by name. (Files have their own
 * patterns: file-name.h.)
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

/* Returns whether the pointcut's struct, member or symbol is a pattern. */
bool wv_pointcut_is_pattern(const struct wv_pointcut *pointcut);

/*
 * Expands @pattern to one pointcut for each name of the kernel that matches it, in the order of the
 * names. If @pattern has a .module, there is one for each name and matching image, and the
 * pointcuts are in the order of the images. Returns -WV_E_NO_MATCH if no name matches.
 */
int wv_db_spell_out(struct wv_db *db, const struct wv_pointcut *pattern, struct wv_pointcuts *ret,
		    struct wv_error *error);
void wv_pointcuts_deinit(struct wv_pointcuts *pointcuts);

/* Like wv_db_query(), but @pointcut may be a pattern. */
int wv_db_query_like(struct wv_db *db, const struct wv_pointcut *pointcut, struct wv_matches *ret,
		     struct wv_error *error);

#endif /* WV_WILDCARD_H */
