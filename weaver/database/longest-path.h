/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the longest of the paths that a statement selects, if it is a part of all others. */
#ifndef WV_LONGEST_PATH_H
#define WV_LONGEST_PATH_H

#include "base/error.h"
#include "base/str.h"

struct sqlite3_stmt;
struct wv_db;

/*
 * Steps through the rows of @statement. The first column of each is the path of a member, and the
 * longest path comes first. Adds this longest path to @ret if all other paths are of members of
 * which this one is a part: a.b.c, if the others are a.b and a. Adds nothing if there is no row, or
 * if another path is not such a one: a.c and a.b. The caller resets @statement.
 */
int wv_db_longest_path(struct wv_db *db, struct sqlite3_stmt *statement, struct wv_str *ret,
		       struct wv_error *error);

#endif /* WV_LONGEST_PATH_H */
