/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the database answers to a pointcut: the joinpoints that it picks, each with its shadows.
 * Every question about joinpoints goes through here; names, bytes and build-id are read by db.h.
 */
#ifndef WV_QUERY_H
#define WV_QUERY_H

#include <stddef.h>

#include "base/error.h"
#include "database/matches.h"
#include "database/pointcut.h"

struct wv_db;

/*
 * Everything that @pointcut picks, appended to nothing: @ret is filled anew. A member without an
 * access of these kinds is success with an empty list; a struct, member, function or file that
 * the database does not know at all is -WV_E_NO_MATCH with the nearest names in the message, and
 * so is a line without code, with the nearest lines. Of functions with one name, and of files
 * that end alike, all are given.
 */
int wv_db_query(struct wv_db *db, const struct wv_pointcut *pointcut, struct wv_matches *ret,
		struct wv_error *error);

/*
 * The matches of several pointcuts of one type as one sorted list, each match once. @ret is
 * filled anew. An empty list is success, unless there is only one pointcut: then the reason is
 * explained as above.
 */
int wv_db_query_each(struct wv_db *db, const struct wv_pointcut *pointcuts, size_t n,
		     struct wv_matches *ret, struct wv_error *error);

#endif /* WV_QUERY_H */
