// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the calls of a function in all images. In the function's own image, the target of a call is
 * the function's address. In another image, it is an import symbol (WV_SYMBOL_IMPORT), which has
 * only the function's name. An import symbol means the first global function of its name in any
 * image.
 */
#include "database/db-handle.h"
#include "database/find.h"
#include "database/match-rows.h"
#include "database/within.h"

/* Selects the columns of match-rows.h for each call of the offset ?1. */
static const char calls_sql[] =
	"SELECT NULL, NULL, NULL, NULL, coalesce(inline.name, symbol.name), file.name,"
	" call.line, call.\"column\", NULL, symbol.name,"
	" call.offset - symbol.offset, call.offset, NULL, NULL, 0"
	" FROM call CROSS JOIN symbol ON symbol.id = call.symbol"
	" LEFT JOIN file ON file.id = call.file LEFT JOIN inline ON inline.id = call.inline"
	" WHERE call.target = ?1";

/* The offsets at which functions with the name ?1 begin. */
static const char functions_sql[] =
	"SELECT DISTINCT offset FROM symbol WHERE name = ?1 AND " WV_SQL_IS_NO_LABEL("flags")
	" ORDER BY offset";

/* The import symbols for the function ?1 at offset ?2, in other images. */
static const char imports_sql[] =
	"SELECT offset FROM symbol WHERE name = ?1 AND flags & " WV_SQL(WV_SYMBOL_IMPORT)
	" AND ?2 = (SELECT min(offset) FROM symbol WHERE name = ?1 AND flags & "
	WV_SQL(WV_SYMBOL_GLOBAL) " AND NOT flags & " WV_SQL(WV_SYMBOL_IMPORT) ") ORDER BY offset";

struct search {
	const struct wv_question *question;
	sqlite3_stmt *imports, *calls;
};

/* Appends the calls of @target, an offset in the image that contains the calls. */
static int add_calls(const struct search *search, uint64_t target)
{
	const struct wv_question *question = search->question;

	if (!wv_db_image_is(question->db, target >> WV_IMAGE_OFFSET_BITS,
			    question->pointcut->module))
		return 0;
	sqlite3_reset(search->calls);
	sqlite3_bind_int64(search->calls, 1, (sqlite3_int64)target);
	return wv_match_rows(question, search->calls);
}

/* Calls @add for each offset that @statement, which is bound, returns. */
static int each_offset(const struct search *search, sqlite3_stmt *statement,
		       int (*add)(const struct search *search, uint64_t offset))
{
	const struct wv_question *question = search->question;
	bool more;
	int ret = wv_db_step(question->db, statement, &more, question->error);

	while (!ret && more) {
		ret = add(search, sqlite3_column_int64(statement, 0));
		if (!ret)
			ret = wv_db_step(question->db, statement, &more, question->error);
	}
	return ret;
}

static int add_function(const struct search *search, uint64_t start)
{
	const struct wv_pointcut *pointcut = search->question->pointcut;
	int ret;

	if (pointcut->at_start && pointcut->start != start)
		return 0;
	ret = add_calls(search, start);
	if (ret)
		return ret;
	sqlite3_reset(search->imports);
	wv_db_bind_text(search->imports, 1, pointcut->symbol);
	sqlite3_bind_int64(search->imports, 2, (sqlite3_int64)start);
	return each_offset(search, search->imports, add_calls);
}

int wv_find_callers(const struct wv_question *question)
{
	struct search search = { .question = question };
	sqlite3_stmt *functions;
	int ret = wv_db_keep(question->db, functions_sql, &functions, question->error);

	if (!ret)
		ret = wv_db_keep(question->db, imports_sql, &search.imports, question->error);
	if (!ret)
		ret = wv_db_keep(question->db, calls_sql, &search.calls, question->error);
	if (ret)
		return ret;
	wv_db_bind_text(functions, 1, question->pointcut->symbol);
	return each_offset(&search, functions, add_function);
}
