/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluates a pointcut: returns the joinpoints that it picks, each with its shadows. All queries
 * for joinpoints go through here; db.h reads names, bytes and the build-id.
 */
#ifndef WV_QUERY_H
#define WV_QUERY_H

#include <stddef.h>

#include "base/error.h"
#include "database/matches.h"
#include "database/pointcut.h"

struct wv_db;

/*
 * Finds everything that @pointcut picks. Previous contents of @ret are not kept. If a member has no
 * access of the requested kinds, that is success with an empty list. -WV_E_NO_MATCH: the database
 * does not know the struct, member, function or file, and the message names similar ones; or a line
 * has no code, and the message names the nearest lines. If several functions have the name, or
 * several files end in it, all of them are returned.
 */
int wv_db_query(struct wv_db *db, const struct wv_pointcut *pointcut, struct wv_matches *ret,
		struct wv_error *error);

/*
 * Returns the matches of several pointcuts of one type as one sorted list, without repetition.
 * Previous contents of @ret are not kept. An empty list is success, unless there is only one
 * pointcut: then the result is that of wv_db_query().
 */
int wv_db_query_each(struct wv_db *db, const struct wv_pointcut *pointcuts, size_t n,
		     struct wv_matches *ret, struct wv_error *error);

#endif /* WV_QUERY_H */
