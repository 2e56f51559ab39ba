// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the table `names`: the names of all functions of all images, sorted, and cut into pieces
 * (WV_SCHEMA_NAMES_PIECE). Names with * and ? are looked up in it (database/name-list.h).
 */
#include <string.h>

#include "base/str.h"
#include "index/rows.h"
#include "index/store-rows.h"

/*
 * The names in their order; equal names follow each other. The cold part of a function has a symbol
 * of its own (vfs_read.cold), which is left out: "vfs_*" means functions, and no function is
 * entered at its cold part.
 */
static const char names_sql[] =
	"SELECT name, " WV_SQL(WV_NAME_IS_FUNCTION) " FROM symbol"
	" WHERE " WV_SQL_IS_NO_LABEL("flags") " AND name NOT GLOB '*.cold*'"
	" UNION ALL SELECT name, " WV_SQL(WV_NAME_IS_INLINED) " FROM inline ORDER BY 1";

/* Writes the names of @piece as a row, and empties it. */
static int end_piece(struct wv_rows *rows, struct wv_str *piece)
{
	int ret;

	if (!piece->n)
		return 0;
	wv_rows_text(rows, piece->data + 1);
	wv_rows_bytes(rows, (const uint8_t *)piece->data, piece->n);
	ret = wv_rows_end(rows);
	piece->n = 0;
	return ret;
}

/*
 * Adds a name that is not in @piece. If there is no room for it, ends the piece, and begins
 * another.
 */
static int add_name(struct wv_rows *rows, struct wv_str *piece, const char *name, char is)
{
	const size_t n = strlen(name) + 1;
	/* A row has the first name twice: as its key, and in the piece. */
	const size_t first = piece->n ? strlen(piece->data + 1) : 0;
	int ret = 0;

	if (first + piece->n + 1 + n > WV_SCHEMA_NAMES_PIECE)
		ret = end_piece(rows, piece);
	wv_str_add_n(piece, &is, 1);
	wv_str_add_n(piece, name, n);
	return !ret && piece->failed ? wv_no_memory(rows->store->error) : ret;
}

int wv_store_names(struct wv_store *store)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	_cleanup_rows_ struct wv_rows rows = { 0 };
	_cleanup_str_ struct wv_str piece = { 0 };
	size_t last = 0; /* offset in the piece of the name that was added last */
	int step = SQLITE_DONE, ret = wv_rows_start(store, "names", 2, &rows);

	if (!ret && sqlite3_prepare_v2(store->db, names_sql, -1, &statement, NULL) != SQLITE_OK)
		ret = wv_store_fail(store);
	while (!ret && (step = sqlite3_step(statement)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(statement, 0);
		const char is = (char)sqlite3_column_int(statement, 1);

		if (!name)
			return wv_no_memory(store->error);
		if (piece.n && !strcmp(piece.data + last + 1, name)) {
			piece.data[last] = (char)(piece.data[last] | is);
			continue;
		}
		ret = add_name(&rows, &piece, name, is);
		if (!ret)
			last = piece.n - strlen(name) - 2;
	}
	if (!ret && step != SQLITE_DONE)
		ret = wv_store_fail(store);
	return ret ? ret : end_piece(&rows, &piece);
}
