/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the database's read side share: the open database and how they speak SQL. */
#ifndef WV_DB_INTERNAL_H
#define WV_DB_INTERNAL_H

#include "base/str.h"
#include "base/pool.h"
#include "database/db.h"
#include "database/schema.h"
#include "database/statement.h"

struct wv_db {
	sqlite3 *sqlite;
	char *path;
	uint8_t build_id[WEFT_BUILD_ID_MAX];
	size_t build_id_size;
	uint64_t text_address;
	uint64_t work, work_max; /* of the current query, in units of WORK_UNIT */
	struct wv_pool images; /* names by number */
	sqlite3_stmt *symbol_exactly_at, *symbol_at, *piece_at;
	struct wv_str name; /* that wv_db_symbol_at gave last */
	/* The piece of text that was read last. */
	uint8_t piece[WV_SCHEMA_TEXT_PIECE];
	uint64_t piece_offset;
	size_t piece_size;
};

/* -WV_E_FORMAT (or out of memory) with SQLite's words about what it was doing last. */
int wv_db_fail(struct wv_db *db, struct wv_error *error);

/* @sql is one statement; -WV_E_FORMAT where the database does not have what it asks for. */
int wv_db_prepare(struct wv_db *db, const char *sql, sqlite3_stmt **ret, struct wv_error *error);

/* Steps to the next row. *@more_ret is false at the end. */
int wv_db_step(struct wv_db *db, sqlite3_stmt *statement, bool *more_ret, struct wv_error *error);

/* A column as text, "" for NULL. Valid until the next step. */
const char *wv_db_text(sqlite3_stmt *statement, int column);

void wv_db_bind_text(sqlite3_stmt *statement, int parameter, const char *text);

/* The link address of a symbol by its name, or 0. */
uint64_t wv_db_symbol_address(struct wv_db *db, const char *name);

/* Up to @size bytes of text from @offset on; returns how many there are. */
size_t wv_db_bytes(struct wv_db *db, uint64_t offset, uint8_t *buffer, size_t size);

/* Gets one shadow's offset; a value other than 0 ends the search and is returned. */
typedef int (*wv_flow_take)(void *context, uint64_t offset, struct wv_error *error);

/* Finds the shadows of an EXIT, BLOCK, CALLS or CALLERS pointcut, function by function (control-flow.c). */
int wv_db_flow(struct wv_db *db, const struct wv_pointcut *pointcut, wv_flow_take take,
	       void *context, struct wv_error *error);

/*
 * Why a pointcut of this kind found nothing: each fills @error with the nearest names and returns -WV_E_NO_MATCH, or 0
 * when the name is known.
 */
int wv_db_explain_member(struct wv_db *db, const struct wv_pointcut *pointcut,
			 struct wv_error *error);
int wv_db_explain_file(struct wv_db *db, const char *file, struct wv_error *error);
int wv_db_explain_symbol(struct wv_db *db, const char *symbol, struct wv_error *error);
int wv_db_explain_line(struct wv_db *db, const struct wv_pointcut *pointcut,
		       struct wv_error *error);

/*
 * Takes the matches off @matches that do not lie on the first byte of an instruction, counted from the function's start;
 * -WV_E_NO_MATCH with the instructions around when none is left.
 */
int wv_db_check_boundaries(struct wv_db *db, struct wv_matches *matches, struct wv_error *error);

/*
 * Several pointcuts' matches as one, sorted; those that two pick are there once. @ret is filled anew. None at all is success,
 * unless there is but one pointcut, whose explanation it is then.
 */
int wv_db_query_each(struct wv_db *db, const struct wv_pointcut *pointcuts, size_t n, struct wv_matches *ret,
		     struct wv_error *error);

/* SQL that is true of a file's name that is what ?1 says (file-name.h): wv_db_open() gives SQLite this function. */
#define WV_FILE_IS_FUNCTION "is_file"
#define WV_FILE_IS WV_FILE_IS_FUNCTION "(name, ?1)"

#endif /* WV_DB_INTERNAL_H */
