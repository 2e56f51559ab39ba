// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds names by their prefix; see names.h. Every query reads the range of an index that begins
 * with the prefix ?1 and ends with the last possible name that has this prefix. So the time of a
 * query depends only on the number of names in the range.
 */
#include <string.h>

#include "base/cleanup.h"
#include "database/db-handle.h"
#include "database/names.h"

/*
 * SQL that is true of names with the prefix ?1. char(1114111) is the last code point of Unicode,
 * which no name contains.
 */
#define FROM(column) column " >= ?1 AND " column " < ?1 || char(1114111)"

static const char struct_sql[] =
	"SELECT struct || '.' AS name FROM field WHERE " FROM("struct")
	" UNION SELECT outermost || '.' FROM field WHERE " FROM("outermost") " ORDER BY name";

/* The members of struct ?2, found in the three ways of find-accesses.c. */
static const char member_sql[] =
	"SELECT ?2 || '.' || member AS name FROM field WHERE struct = ?2 AND " FROM(
		"member") " UNION SELECT ?2 || '.' || innermost FROM field WHERE outermost = ?2 "
			  "AND " FROM("innermost") " UNION SELECT ?2 || '.' || macro.name FROM "
						   "field"
						   " CROSS JOIN joinpoint ON joinpoint.field = "
						   "field.id"
						   " CROSS JOIN macro ON macro.id = joinpoint.macro"
						   " WHERE field.outermost = ?2 AND " FROM(
							   "macro.name") " ORDER BY name";

/*
 * The members of struct ?2 by their whole path, which begins with ?1. Used when ?1 has a second
 * dot.
 */
static const char path_sql[] =
	"SELECT DISTINCT path AS name FROM field WHERE outermost = ?2 AND " FROM("path")
	" ORDER BY name";

static const char function_sql[] =
	"SELECT name FROM symbol WHERE " FROM("name") " AND " WV_SQL_IS_NO_LABEL("flags")
	" UNION SELECT name FROM inline WHERE " FROM("name") " ORDER BY name";

static const char file_sql[] = "SELECT name FROM file WHERE " FROM("name") " ORDER BY name";

/*
 * Adds @name to @out, unless it equals the name that was added last. The caller passes the names in
 * their order, so equal names come one after another. Of a file's path adds only the part up to the
 * first slash after the prefix; @prefix is the prefix's length. *@last is the offset in @out of the
 * name that was added last, and *@last_n is the length of this name.
 */
static void add_name(struct wv_str *out, const char *name, bool is_file, size_t prefix,
		     size_t *last, size_t *last_n)
{
	const char *slash = is_file && strlen(name) > prefix ? strchr(name + prefix, '/') : NULL;
	size_t n = slash ? (size_t)(slash + 1 - name) : strlen(name);

	if (*last_n == n && !out->failed && !memcmp(out->data + *last, name, n))
		return;
	*last = out->n;
	*last_n = n;
	wv_str_add_n(out, name, n);
	wv_str_add(out, "\n");
}

int wv_db_complete(struct wv_db *db, enum wv_names which, const char *prefix, struct wv_str *out,
		struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	const char *dot = which == WV_NAMES_MEMBERS ? strchr(prefix, '.') : NULL;
	const bool is_path = dot && strchr(dot + 1, '.');
	const char *sql = which == WV_NAMES_FILES     ? file_sql :
			  which == WV_NAMES_FUNCTIONS ? function_sql :
			  is_path		      ? path_sql :
			  dot			      ? member_sql :
							struct_sql;
	size_t last = 0, last_n = 0;
	bool more = true;
	int ret = wv_db_prepare(db, sql, &statement, error);

	if (ret)
		return ret;
	wv_db_bind_text(statement, 1, dot && !is_path ? dot + 1 : prefix);
	if (dot)
		sqlite3_bind_text(statement, 2, prefix, (int)(dot - prefix), SQLITE_STATIC);
	while (!ret && more) {
		ret = wv_db_step(db, statement, &more, error);
		if (!ret && more)
			add_name(out, wv_db_text(statement, 0), which == WV_NAMES_FILES,
				 strlen(prefix), &last, &last_n);
	}
	return ret;
}
