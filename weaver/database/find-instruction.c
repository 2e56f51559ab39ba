// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds one instruction of a function by its offset. */
#include "database/boundary.h"
#include "database/db-handle.h"
#include "database/find.h"
#include "database/match-rows.h"
#include "database/no-match.h"

/* In bytes. If the symbol of a pointcut SYMBOL+OFFSET has no size, OFFSET must be less. */
#define SIZELESS_MAX 4096

static const char instruction_sql[] =
	"SELECT NULL, NULL, NULL, NULL, coalesce(inline.name, symbol.name), file.name, place.line,"
	" place.\"column\", NULL, symbol.name, ?2, symbol.offset + ?2, NULL, NULL, 0"
	" FROM symbol LEFT JOIN place ON " WV_SQL_IS_PLACE("place", "symbol.offset + ?2")
	" LEFT JOIN file ON file.id = place.file LEFT JOIN inline ON inline.id = place.inline"
	" WHERE symbol.name = ?1 AND NOT flags & " WV_SQL(WV_SYMBOL_IMPORT)
	" AND (?2 < size OR (NOT size AND ?2 < " WV_SQL(SIZELESS_MAX) "))";

int wv_find_instruction(const struct wv_question *question)
{
	sqlite3_stmt *statement;
	int failed = wv_db_keep(question->db, instruction_sql, &statement, question->error);

	if (failed)
		return failed;
	wv_db_bind_text(statement, 1, question->pointcut->symbol);
	sqlite3_bind_int64(statement, 2, (sqlite3_int64)question->pointcut->offset);
	failed = wv_match_rows(question, statement);
	if (failed || !question->ret->list.n)
		return failed;
	return wv_db_check_boundaries(question->db, question->ret, question->error);
}

int wv_explain_instruction(const struct wv_question *question)
{
	const struct wv_pointcut *pointcut = question->pointcut;
	int failed = wv_db_explain_symbol(question->db, pointcut->symbol, question->error);

	if (failed)
		return failed;
	return wv_fail(question->error, WV_E_NO_MATCH, "function '%s' ends before offset 0x%llx",
		       pointcut->symbol, (unsigned long long)pointcut->offset);
}
