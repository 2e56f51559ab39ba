/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The open database, for the files that query it in SQL. Other files see only an opaque type
 * (db.h).
 */
#ifndef WV_DB_HANDLE_H
#define WV_DB_HANDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/abi.h"
#include "base/error.h"
#include "base/linux-version.h"
#include "base/pool.h"
#include "base/str.h"
#include "base/vec.h"
#include "database/schema.h"
#include "database/statement.h"

struct wv_db {
	sqlite3 *sqlite;
	char *path;
	uint8_t build_id[WEFT_BUILD_ID_MAX];
	size_t build_id_size;
	uint64_t text_address;	 /* link address of _text */
	wv_linux_version linux_version; /* 0: not known */
	/*
	 * .work: work that SQLite has done since the last wv_db_prepare() or wv_db_keep().
	 * .work_max: at more than that a query fails. Both count units of WORK_UNIT instructions
	 * (db.c).
	 */
	uint64_t work, work_max;
	struct wv_pool images;	 /* names of images by number; 0 is the vmlinux */
	sqlite3_stmt *symbol_exactly_at, *symbol_at, *piece_at;
	/*
	 * Caches the name of the symbol that begins exactly at .name_offset, because many calls in
	 * a row often ask for the same symbol. Empty if no symbol begins there.
	 */
	struct wv_str name;
	uint64_t name_offset;
	/* prepared statements of wv_db_keep() */
	WV_VEC(struct wv_kept_statement {
		const char *sql;
		sqlite3_stmt *statement;
	}) kept;
	/*
	 * The piece of text that .piece_at has found last; the bytes belong to SQLite. .piece_size
	 * is 0 before the first search.
	 */
	const uint8_t *piece;
	uint64_t piece_offset;
	size_t piece_size;
};

/*
 * Fills @error with SQLite's message about its last step; returns -WV_E_FORMAT or -WV_E_NO_MEMORY.
 */
int wv_db_fail(struct wv_db *db, struct wv_error *error);

/*
 * Prepares @sql, one statement. -WV_E_FORMAT if the database lacks a table or column that @sql
 * needs.
 */
int wv_db_prepare(struct wv_db *db, const char *sql, sqlite3_stmt **ret, struct wv_error *error);

/*
 * Like wv_db_prepare(), for a statement that runs very often, as for each of thousands of names. It
 * is prepared at the first call, and belongs to the database. @sql must be a constant, because it
 * is recognised by its address. The statement is returned in its initial state (reset).
 */
int wv_db_keep(struct wv_db *db, const char *sql, sqlite3_stmt **ret, struct wv_error *error);

/* Steps to the next row. *@more_ret is false if there is no further row. */
int wv_db_step(struct wv_db *db, sqlite3_stmt *statement, bool *more_ret, struct wv_error *error);

/* Returns the text of a column, or "" if it is NULL. Valid until the next step. */
const char *wv_db_text(sqlite3_stmt *statement, int column);

/* Binds @text, which must stay unchanged as long as the statement may be stepped. */
void wv_db_bind_text(sqlite3_stmt *statement, int parameter, const char *text);

/*
 * Name of the SQL function that returns whether a file's name matches ?1 (file-name.h).
 * wv_db_open() registers it.
 */
#define WV_FILE_IS_FUNCTION "is_file"
#define WV_FILE_IS WV_FILE_IS_FUNCTION "(name, ?1)"

#endif /* WV_DB_HANDLE_H */
