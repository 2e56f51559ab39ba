/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A SQLite statement that is released when its variable goes out of scope. */
#ifndef WEFT_JOINPOINT_STATEMENT_H
#define WEFT_JOINPOINT_STATEMENT_H

#include <sqlite3.h>

static inline void wv_cleanup_statement(sqlite3_stmt **statement)
{
	sqlite3_finalize(*statement);
}
#define _cleanup_statement_ __attribute__((cleanup(wv_cleanup_statement)))

#endif /* WEFT_JOINPOINT_STATEMENT_H */
