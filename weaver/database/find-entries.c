// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the entry of a function, and the entries of its inlined instances. */
#include "database/db-handle.h"
#include "database/find.h"
#include "database/match-rows.h"
#include "database/no-match.h"

static const char entry_sql[] =
	"SELECT NULL, NULL, NULL, NULL, symbol.name, file.name, line, \"column\", NULL,"
	" symbol.name, entry, offset + entry, NULL, NULL, 0"
	" FROM symbol LEFT JOIN file ON file.id = symbol.file"
	" WHERE symbol.name = ?1 AND " WV_SQL_IS_NO_LABEL(
		"symbol.flags") " AND NOT ?3"
				" UNION ALL SELECT NULL, NULL, NULL, 'inlined', inline.name, "
				"file.name, copy.line,"
				" copy.\"column\", NULL, symbol.name, copy.offset - symbol.offset, "
				"copy.offset, NULL, NULL, 0"
				" FROM inline CROSS JOIN copy ON copy.inline = inline.id"
				" CROSS JOIN symbol ON symbol.id = copy.symbol LEFT JOIN file ON "
				"file.id = copy.file"
				" WHERE inline.name = ?1 AND ?2";

int wv_find_entries(const struct wv_question *question)
{
	sqlite3_stmt *statement;
	int failed = wv_db_keep(question->db, entry_sql, &statement, question->error);

	if (failed)
		return failed;
	wv_db_bind_text(statement, 1, question->pointcut->symbol);
	sqlite3_bind_int(statement, 2, question->pointcut->inlined);
	sqlite3_bind_int(statement, 3, question->pointcut->only_inlined);
	return wv_match_rows(question, statement);
}

int wv_explain_entry(const struct wv_question *question)
{
	const struct wv_pointcut *pointcut = question->pointcut;
	int failed = wv_db_explain_symbol(question->db, pointcut->symbol, question->error);

	if (failed || !pointcut->only_inlined)
		return failed;
	return wv_fail(question->error, WV_E_NO_MATCH, "function '%s' is inlined nowhere",
		       pointcut->symbol);
}
