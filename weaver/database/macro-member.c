// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the members to which macros expand; see macro-member.h. */
#include "base/cleanup.h"
#include "database/db-handle.h"
#include "database/longest-path.h"
#include "database/macro-member.h"

/*
 * Selects the paths of accesses that begin with struct ?1 and are written with macro ?2, the
 * longest first. One access may have several paths: an access of a part of a member is also an
 * access of the whole member.
 */
static const char path_sql[] =
	"SELECT DISTINCT substr(field.path, length(?1) + 2) FROM macro"
	" CROSS JOIN joinpoint ON joinpoint.macro = macro.id"
	" CROSS JOIN field ON field.id = joinpoint.field"
	" WHERE macro.name = ?2 AND field.outermost = ?1"
	" AND substr(field.path, 1, length(?1) + 1) = ?1 || '.'"
	" ORDER BY length(field.path) DESC";

int wv_db_macro_member(struct wv_db *db, const char *structure, const char *macro,
		       struct wv_str *ret, struct wv_error *error)
{
	sqlite3_stmt *statement;
	int failed = wv_db_keep(db, path_sql, &statement, error);

	if (failed)
		return failed;
	wv_db_bind_text(statement, 1, structure);
	wv_db_bind_text(statement, 2, macro);
	failed = wv_db_longest_path(db, statement, ret, error);
	sqlite3_reset(statement);
	return failed;
}

static const char names_sql[] =
	"SELECT DISTINCT macro.name FROM field"
	" CROSS JOIN joinpoint ON joinpoint.field = field.id"
	" CROSS JOIN macro ON macro.id = joinpoint.macro"
	" WHERE field.outermost = ?1 ORDER BY 1";

int wv_db_each_macro_member(struct wv_db *db, const char *structure,
			    void (*offer)(void *context, const char *name), void *context,
			    struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	bool more;
	int failed = wv_db_prepare(db, names_sql, &statement, error);

	if (failed)
		return failed;
	wv_db_bind_text(statement, 1, structure);
	failed = wv_db_step(db, statement, &more, error);
	while (!failed && more) {
		offer(context, wv_db_text(statement, 0));
		failed = wv_db_step(db, statement, &more, error);
	}
	return failed;
}
