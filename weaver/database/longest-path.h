/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the paths that a statement selects, if all of them are parts of each other. */
#ifndef WV_LONGEST_PATH_H
#define WV_LONGEST_PATH_H

#include "base/error.h"
#include "base/str.h"

struct sqlite3_stmt;
struct wv_db;

/*
 * Steps through the rows of @statement. The first column of each is the path of a member, and the
 * longest path comes first. Adds this longest path to @ret if each other path is a whole of which
 * it is a part: a.b.c after a.b and a. Adds nothing if there is no row, or if a path is of another
 * member: a.b and a.c. The caller resets @statement.
 */
int wv_db_longest_path(struct wv_db *db, struct sqlite3_stmt *statement, struct wv_str *ret,
		       struct wv_error *error);

#endif /* WV_LONGEST_PATH_H */
