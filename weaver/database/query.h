/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluates a pointcut: finds the joinpoints that it picks, each with its shadows. All queries for
 * joinpoints use these functions. (db.h has the functions for names, bytes and the build-id.)
 */
#ifndef WV_QUERY_H
#define WV_QUERY_H

#include <stddef.h>

#include "base/error.h"
#include "database/matches.h"
#include "database/pointcut.h"

struct wv_db;

/*
 * Sets @ret to everything that @pointcut picks. (What @ret had before is not freed.) If several
 * functions have the pointcut's name, or the pointcut's file matches several files, @ret has the
 * matches of all of them. Returns -WV_E_NO_MATCH in these cases:
 * - The database does not know the struct, member, function, file or module. The message names
 *   similar ones.
 * - The kernel has joinpoints that the pointcut would pick, but not in the module that the pointcut
 *   names. The message names the modules that have them.
 * - The pointcut is a line that has no code. The message names the nearest lines with code.
 * - The function has nothing of the part that the pointcut names: no call, for example.
 * A member that has no accesses of the requested kinds is no error: @ret is then empty.
 */
int wv_db_query(struct wv_db *db, const struct wv_pointcut *pointcut, struct wv_matches *ret,
		struct wv_error *error);

/*
 * Sets @ret to what the @n pointcuts, all of one type, pick: one sorted list without repetitions.
 * An empty list is no error. If there is only one pointcut, the result is that of wv_db_query().
 */
int wv_db_query_each(struct wv_db *db, const struct wv_pointcut *pointcuts, size_t n,
		     struct wv_matches *ret, struct wv_error *error);

#endif /* WV_QUERY_H */
