// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds tracepoints. The joinpoint of a tracepoint is the entry of the function that the kernel
 * calls when the tracepoint is reached (WV_TRACEPOINT_FUNCTION). The first argument of this
 * function is private to the kernel; the others are the arguments of the tracepoint, with the names
 * that they have in TP_PROTO().
 */
#include "database/db-handle.h"
#include "database/find.h"
#include "database/match-rows.h"
#include "database/no-match.h"

static const char sql[] =
	"SELECT NULL, NULL, NULL, NULL, symbol.name, file.name, line, \"column\", NULL,"
	" symbol.name, entry, offset + entry, NULL, NULL, 0"
	" FROM symbol LEFT JOIN file ON file.id = symbol.file"
	" WHERE symbol.name = '" WV_TRACEPOINT_FUNCTION "' || ?1 AND "
	WV_SQL_IS_NO_LABEL("symbol.flags");

int wv_find_tracepoints(const struct wv_question *question)
{
	sqlite3_stmt *statement;
	int failed = wv_db_keep(question->db, sql, &statement, question->error);

	if (failed)
		return failed;
	wv_db_bind_text(statement, 1, question->pointcut->symbol);
	return wv_match_rows(question, statement);
}

int wv_explain_tracepoint(const struct wv_question *question)
{
	return wv_db_explain_tracepoint(question->db, question->pointcut->symbol,
					question->error);
}
