/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the names in a database that begin with a prefix, for the shell's completion of pointcuts.
 */
#ifndef WV_NAMES_H
#define WV_NAMES_H

#include "base/error.h"
#include "base/str.h"
#include "database/db.h"

enum wv_names {
	WV_NAMES_MEMBERS,   /* "STRUCT." if @prefix has no dot; else "STRUCT.MEMBER", or a path */
	WV_NAMES_FUNCTIONS, /* functions, also those that are only inlined */
	WV_NAMES_FILES,	    /* files, up to the end of the next component: "fs/" for "f" */
};

/* Adds the names to @out, one on each line, without repetition. */
int wv_db_complete(struct wv_db *db, enum wv_names which, const char *prefix, struct wv_str *out,
		struct wv_error *error);

#endif /* WV_NAMES_H */
