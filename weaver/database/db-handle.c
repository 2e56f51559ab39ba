// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs SQL statements on the open database; see db-handle.h. */
#include "database/db-handle.h"

int wv_db_fail(struct wv_db *db, struct wv_error *error)
{
	int code = sqlite3_errcode(db->sqlite) & UINT8_MAX; /* the primary error code */

	if (code == SQLITE_NOMEM)
		return wv_no_memory(error);
	return wv_fail_at(error, WV_E_FORMAT, db->path, 0, 0, "the database cannot be read: %s",
			  code == SQLITE_INTERRUPT ? "it is damaged, a query does not end" :
						     sqlite3_errmsg(db->sqlite));
}

int wv_db_prepare(struct wv_db *db, const char *sql, sqlite3_stmt **ret, struct wv_error *error)
{
	db->work = 0;
	if (sqlite3_prepare_v2(db->sqlite, sql, -1, ret, NULL) != SQLITE_OK)
		return wv_db_fail(db, error);
	return 0;
}

int wv_db_keep(struct wv_db *db, const char *sql, sqlite3_stmt **ret, struct wv_error *error)
{
	struct wv_kept_statement *slot;
	int failed;

	wv_vec_for_each(kept, &db->kept) {
		if (kept->sql != sql)
			continue;
		db->work = 0;
		*ret = kept->statement;
		sqlite3_reset(*ret);
		return 0;
	}
	failed = wv_db_prepare(db, sql, ret, error);
	if (failed)
		return failed;
	slot = wv_vec_push(&db->kept);
	if (!slot) {
		sqlite3_finalize(*ret);
		return wv_no_memory(error);
	}
	*slot = (struct wv_kept_statement){ sql, *ret };
	return 0;
}

int wv_db_step(struct wv_db *db, sqlite3_stmt *statement, bool *more_ret, struct wv_error *error)
{
	int ret = sqlite3_step(statement);

	*more_ret = ret == SQLITE_ROW;
	return ret == SQLITE_ROW || ret == SQLITE_DONE ? 0 : wv_db_fail(db, error);
}

const char *wv_db_text(sqlite3_stmt *statement, int column)
{
	const unsigned char *text = sqlite3_column_text(statement, column);

	return text ? (const char *)text : "";
}

void wv_db_bind_text(sqlite3_stmt *statement, int parameter, const char *text)
{
	sqlite3_bind_text(statement, parameter, text, -1, SQLITE_STATIC);
}
