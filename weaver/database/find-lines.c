// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the shadows of a source line: one for each contiguous range of its code. */
#include "database/db-handle.h"
#include "database/find.h"
#include "database/match-rows.h"
#include "database/no-match.h"

/*
 * SQL for the number that is added to the offset of a line's code. The code of the line on which a
 * function begins starts with an endbr64 and the call of ftrace, and nothing can be spliced there.
 * So for this code the number is the distance to the function's entry, which comes after these
 * instructions. For all other code it is 0.
 */
#define AFTER_ENTRY \
	" + CASE WHEN line.offset < symbol.offset + entry AND entry < size" \
	" THEN symbol.offset + entry - line.offset ELSE 0 END"

static const char line_sql[] =
	"SELECT NULL, NULL, NULL, NULL, coalesce(inline.name, symbol.name), named.name,"
	" line.line, line.\"column\", NULL, symbol.name,"
	" line.offset - symbol.offset" AFTER_ENTRY ", line.offset" AFTER_ENTRY ","
	" NULL, NULL, 0"
	" FROM (SELECT id, name FROM file WHERE " WV_FILE_IS ") AS named"
	" CROSS JOIN line ON line.file = named.id AND line.line = ?2"
	" LEFT JOIN symbol ON symbol.id = line.symbol"
	" LEFT JOIN place ON " WV_SQL_IS_PLACE("place", "line.offset" AFTER_ENTRY)
	" LEFT JOIN inline ON inline.id = place.inline";

int wv_find_lines(const struct wv_question *question)
{
	sqlite3_stmt *statement;
	int failed = wv_db_keep(question->db, line_sql, &statement, question->error);

	if (failed)
		return failed;
	wv_db_bind_text(statement, 1, question->pointcut->file);
	sqlite3_bind_int64(statement, 2, question->pointcut->line);
	return wv_match_rows(question, statement);
}

int wv_explain_line(const struct wv_question *question)
{
	return wv_db_explain_line(question->db, question->pointcut, question->error);
}
