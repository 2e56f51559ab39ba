// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Searches the table `names`; see name-list.h. memmem() finds the names that have the longest
 * literal part of the pattern ("_probe" of "*_probe"), in some 1 ns for each byte of the list, and
 * only these are compared with the pattern.
 */
#include <string.h>

#include "database/db-handle.h"
#include "database/name-list.h"

/*
 * The pieces that may have names with the prefix ?1: the last one that begins before such names,
 * and those that begin with one. char(1114111) is the last code point of Unicode, which no name
 * contains.
 */
static const char pieces_sql[] =
	"SELECT names FROM names"
	" WHERE first >= coalesce((SELECT max(first) FROM names WHERE first <= ?1), '')"
	" AND first < ?1 || char(1114111) ORDER BY first";

struct search {
	const char *pattern;
	const char *literal; /* the longest part of the pattern without * and ? */
	size_t literal_n; /* its length; 0: the pattern has only * and ? */
	unsigned int is; /* WV_NAME_IS_* */
};

static void find_literal(struct search *search)
{
	for (const char *at = search->pattern; *at; at += strspn(at, "*?")) {
		const size_t n = strcspn(at, "*?");

		if (n > search->literal_n) {
			search->literal = at;
			search->literal_n = n;
		}
		at += n;
	}
}

/*
 * Adds the names of a piece that match. Returns false if the piece of @n bytes is none that `weft
 * index` writes.
 */
static bool search_piece(const struct search *search, const char *piece, size_t n,
			 struct wv_str *ret)
{
	const char *end = piece + n;

	if (!n || end[-1])
		return false;
	/* @at, and @entry below, are where a name's WV_NAME_IS_* are. */
	for (const char *at = piece; at < end;) {
		const char *found = search->literal_n ? memmem(at, (size_t)(end - at),
							       search->literal, search->literal_n)
						      : at;
		const char *before = found ? memrchr(at, '\0', (size_t)(found - at)) : NULL;
		const char *entry = before ? before + 1 : at;

		if (!found)
			return true;
		if (end - entry < 2)
			return false;
		at = entry + 1 + strlen(entry + 1) + 1;
		if ((unsigned char)*entry & search->is &&
		    !sqlite3_strglob(search->pattern, entry + 1))
			wv_str_add_n(ret, entry + 1, (size_t)(at - entry - 1));
	}
	return true;
}

int wv_db_names_like(struct wv_db *db, const char *pattern, unsigned int is, struct wv_str *ret,
		     struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	struct search search = { .pattern = pattern, .is = is };
	bool more = true;
	int failed = wv_db_prepare(db, pieces_sql, &statement, error);

	find_literal(&search);
	if (!failed)
		sqlite3_bind_text(statement, 1, pattern, (int)strcspn(pattern, "*?"),
				  SQLITE_STATIC);
	while (!failed) {
		failed = wv_db_step(db, statement, &more, error);
		if (failed || !more)
			break;
		if (!search_piece(&search, sqlite3_column_blob(statement, 0),
				  (size_t)sqlite3_column_bytes(statement, 0), ret))
			failed = wv_fail_at(error, WV_E_FORMAT, db->path, 0, 0,
					    "the database's list of names is damaged");
	}
	return !failed && ret->failed ? wv_no_memory(error) : failed;
}
