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
	 * .work_max: a query that does more work than this fails. Both count units of WORK_UNIT
	 * instructions of SQLite's virtual machine (db.c).
	 */
	uint64_t work, work_max;
	struct wv_pool images;	 /* names of images by number; 0 is the vmlinux */
	/* the queries of wv_db_symbol_at() and wv_db_text_bytes() */
	sqlite3_stmt *symbol_exactly_at, *symbol_at, *piece_at;
	/*
	 * .name: the name of the symbol that begins exactly .name_offset bytes after _text; empty
	 * if none begins there. A cache, because many calls in a row often ask for the same symbol.
	 */
	struct wv_str name;
	uint64_t name_offset;
	/* prepared statements of wv_db_keep() */
	WV_VEC(struct wv_kept_statement {
		const char *sql;
		sqlite3_stmt *statement;
	}) kept;
	/*
	 * The piece of text that .piece_at has found last.
	 * .piece: its bytes; they belong to SQLite.
	 * .piece_offset: where it begins, in bytes after _text.
	 * .piece_size: its size in bytes; 0: no piece has been searched for, or none was found.
	 */
	const uint8_t *piece;
	uint64_t piece_offset;
	size_t piece_size;
};

/*
 * Fills @error with SQLite's message about the last call that failed. Returns -WV_E_FORMAT or
 * -WV_E_NO_MEMORY.
 */
int wv_db_fail(struct wv_db *db, struct wv_error *error);

/*
 * Prepares the one statement in @sql; the caller finalizes *@ret (statement.h). Returns
 * -WV_E_FORMAT if the database lacks a table or column that @sql needs.
 */
int wv_db_prepare(struct wv_db *db, const char *sql, sqlite3_stmt **ret, struct wv_error *error);

/*
 * Like wv_db_prepare(), for a statement that runs very often, as for each of thousands of names.
 * The statement is prepared at the first call for @sql; later calls return the same statement. @sql
 * must be a constant, because later calls recognise it by its address. The statement is reset, so
 * that it begins again, and belongs to the database.
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
