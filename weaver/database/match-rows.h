/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts rows of the database to matches. Each find-KIND.c has its own SQL. All of them return
 * these columns, in this order, so that one function can read them:
 *    struct, member, path	of an access
 *    kind			of an access; not NULL for an inlined instance; else NULL
 *    function, file, line, column, macro
 *    symbol			that contains the shadow
 *    symbol offset		distance of the shadow from the symbol's start in bytes
 *    offset			distance of the shadow from _text in bytes; NULL: optimized out
 *    precision, use		of the shadow of an access
 *    joinpoint			number of the access; 0 if the joinpoint is not an access
 * and of accesses alone:
 *    open			1: wv_match_fates() is still to be called; 0: there are no fates
 */
#ifndef WV_MATCH_ROWS_H
#define WV_MATCH_ROWS_H

#include <sqlite3.h>

#include "database/pointcut-kind.h"

/*
 * Append matches to question->ret. wv_match_row() appends the one in the current row of @row, and
 * wv_match_rows() those in all rows that @statement still returns. Both leave out rows in images
 * that the pointcut's .module does not match and, if the pointcut has .exact, rows with a shadow of
 * another precision.
 */
int wv_match_row(const struct wv_question *question, sqlite3_stmt *row);
int wv_match_rows(const struct wv_question *question, sqlite3_stmt *statement);

/*
 * Sets the fates of @match, which has .open, and its servant: the first one that a fate has. Each
 * row of @statement has these columns: a fate; the number of the servant, or NULL; and the
 * servant's file, line, column, symbol and distance from the symbol's start.
 */
int wv_match_fates(const struct wv_question *question, sqlite3_stmt *statement,
		   struct wv_match *match);

#endif /* WV_MATCH_ROWS_H */
