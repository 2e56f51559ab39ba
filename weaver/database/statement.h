/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A SQLite statement that is released when its variable goes out of scope. */
#ifndef WV_STATEMENT_H
#define WV_STATEMENT_H

#include <sqlite3.h>

static inline void wv_cleanup_statement(sqlite3_stmt **statement)
{
	sqlite3_finalize(*statement);
}
#define _cleanup_statement_ __attribute__((cleanup(wv_cleanup_statement)))

#endif /* WV_STATEMENT_H */
