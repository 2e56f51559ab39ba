/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of the database to matches. Each find-KIND.c asks with SQL of its own; all of them give
 * these columns, in this order, so that one function reads them:
 *    struct, member, path	of an access
 *    kind			of an access; not NULL of an inlined copy; else NULL
 *    function, file, line, column, macro
 *    symbol, symbol offset	that hold the shadow
 *    offset			of the shadow from _text; NULL: optimized out
 *    precision, use		of an access
 *    served symbol, offset	the instruction that serves an optimized out access
 *    joinpoint			0 where it is no access
 */
#ifndef WV_MATCH_ROWS_H
#define WV_MATCH_ROWS_H

#include <sqlite3.h>

#include "database/pointcut-kind.h"

/* The statement's current row, or all its rows. */
int wv_match_row(const struct wv_question *question, sqlite3_stmt *row);
int wv_match_rows(const struct wv_question *question, sqlite3_stmt *statement);

#endif /* WV_MATCH_ROWS_H */
