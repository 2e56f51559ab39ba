/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of all functions of all images, as one list (the table `names`), for names with * and
 * ?. SQLite compares such a name with a row of the table `symbol` in some 100 ns. A kernel's
 * modules have half a million symbols, and as many copies of names of inlined functions.
 */
#ifndef WV_NAME_LIST_H
#define WV_NAME_LIST_H

#include "base/error.h"
#include "base/str.h"

struct wv_db;

/*
 * Adds to @ret each name that matches @pattern, with its NUL, in the order of the names. @is: only
 * names that are one of these, a sum of WV_NAME_IS_* (schema.h).
 */
int wv_db_names_like(struct wv_db *db, const char *pattern, unsigned int is, struct wv_str *ret,
		     struct wv_error *error);

#endif /* WV_NAME_LIST_H */
