/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts rows of the database to matches. Each find-KIND.c has its own SQL. All of them return
 * these columns, in this order, so that one function can read them:
 *    struct, member, path	of an access
 *    kind			of an access; not NULL for an inlined instance; else NULL
 *    function, file, line, column, macro
 *    symbol, symbol offset	that contain the shadow
 *    offset			of the shadow from _text; NULL: optimized out
 *    precision, use		of an access
 *    joinpoint			0 if it is not an access
 * and of accesses alone:
 *    open			1: the fates are still to be found; 0: there are none
 */
#ifndef WV_MATCH_ROWS_H
#define WV_MATCH_ROWS_H

#include <sqlite3.h>

#include "database/pointcut-kind.h"

/*
 * Append rows to the question's matches: wv_match_row() the statement's current row, and
 * wv_match_rows() all rows that are left. Left out are rows in images that the pointcut's module
 * does not name and, if the pointcut has .exact, shadows of another precision.
 */
int wv_match_row(const struct wv_question *question, sqlite3_stmt *row);
int wv_match_rows(const struct wv_question *question, sqlite3_stmt *statement);

/*
 * Finds the fates of @match, which is .open, and its first servant. Each row of @statement has one
 * fate and, if that has a servant, its number, and its file, line, column, symbol and symbol
 * offset.
 */
int wv_match_fates(const struct wv_question *question, sqlite3_stmt *statement,
		   struct wv_match *match);

#endif /* WV_MATCH_ROWS_H */
