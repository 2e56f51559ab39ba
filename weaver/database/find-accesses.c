// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the accesses of a member, or all accesses in a file. */
#include "runtime/joinpoint-table.h"
#include "database/db-handle.h"
#include "database/find.h"
#include "database/match-rows.h"
#include "database/no-match.h"
#include "database/renamed.h"

/*
 * Selects the joinpoints of the member STRUCT.MEMBER that the user has named, where ?1 is STRUCT
 * and ?2 is MEMBER. An access matches in one of three ways:
 * - Its member is MEMBER, declared in STRUCT itself.
 * - Its expression begins with STRUCT and ends with MEMBER, with other members between them. So
 *   task_struct.on_rq also finds `task->se.on_rq`. But if STRUCT itself has an accessed member of
 *   that name, only STRUCT's own is found.
 * - Its expression begins with STRUCT, and the source writes the rest of it as the macro MEMBER. So
 *   sock.sk_state finds `sk->sk_state`, where sk_state expands to __sk_common.skc_state.
 */
#define CHOSEN_SQL                                                                \
	"WITH chosen(id) AS ("                                                    \
	" SELECT joinpoint.id FROM joinpoint WHERE field IN"                      \
	" (SELECT id FROM field WHERE struct = ?1 AND member = ?2"                \
	" UNION SELECT id FROM field WHERE outermost = ?1 AND innermost = ?2"     \
	" AND (path = ?1 || '.' || ?2 OR NOT EXISTS"                              \
	" (SELECT 1 FROM field WHERE struct = ?1 AND member = ?2)))"              \
	" UNION SELECT joinpoint.id FROM macro"                                   \
	" CROSS JOIN joinpoint ON joinpoint.macro = macro.id"                     \
	" CROSS JOIN field ON field.id = joinpoint.field"                         \
	" WHERE macro.name = ?2 AND field.outermost = ?1) "

/*
 * Selects the joinpoints of a member that the user has named by a path, such as STRUCT.a.b. ?1 is
 * STRUCT, ?2 is the last name (b), and ?7 is the whole path. The last name may also be a macro that
 * expands to the rest of the access's path.
 */
#define CHOSEN_BY_PATH_SQL                                                        \
	"WITH chosen(id) AS ("                                                    \
	" SELECT joinpoint.id FROM joinpoint WHERE field IN"                      \
	" (SELECT id FROM field WHERE outermost = ?1 AND innermost = ?2"          \
	" AND path = ?7)"                                                         \
	" UNION SELECT joinpoint.id FROM macro"                                   \
	" CROSS JOIN joinpoint ON joinpoint.macro = macro.id"                     \
	" CROSS JOIN field ON field.id = joinpoint.field"                         \
	" WHERE macro.name = ?2 AND field.outermost = ?1"                         \
	" AND substr(field.path, 1, length(?7) - length(?2)) ="                   \
	" substr(?7, 1, length(?7) - length(?2))) "

/*
 * Selects the columns of match-rows.h for the chosen joinpoints. CROSS JOIN makes SQLite read the
 * tables in the order in which they are written. That order is the fastest: few rows are chosen,
 * and the rows of all other tables are found by their id.
 */
#define MEMBER_SQL(kind, fates, from)                                                            \
	"SELECT field.struct, field.member, field.path, " kind ", function.name, file.name,"  \
	" joinpoint.line, joinpoint.\"column\", macro.name, symbol.name,"                     \
	" shadow.offset - symbol.offset, shadow.offset, shadow.precision, shadow.use,"        \
	" joinpoint.id, " fates                                                               \
	" FROM chosen " from " CROSS JOIN joinpoint ON joinpoint.id = chosen.id"              \
	" CROSS JOIN field ON field.id = joinpoint.field"                                     \
	" CROSS JOIN function ON function.id = joinpoint.function"                            \
	" CROSS JOIN file ON file.id = joinpoint.file"                                        \
	" LEFT JOIN macro ON macro.id = joinpoint.macro"

/*
 * Parameters of the statements for accesses:
 * - KINDS is the set of requested kinds, with the bit 1 << kind for each.
 * - CALL is the number WEFT_KIND_CALL.
 * - OWN_KIND is the number WV_CHOSEN_OWN.
 * - FOR_CALL is the number WV_CHOSEN_CALL.
 */
#define KINDS "?3"
#define CALL "?4"
#define OWN_KIND "?5"
#define FOR_CALL "?6"

/*
 * SQL that is true of rows whose access may have fates. An access with an exact shadow has none: it
 * has an instruction of its own. As most shadows are exact, the fates of the other accesses are
 * found by a separate statement (fates_sql). When the query for accesses found them as well, this
 * took a third of the query's time, even if there were none.
 */
#define NOT_EXACT "shadow.precision IS NOT 0" /* WEFT_PRECISION_EXACT */

/* Selects the fates of joinpoint ?1. The columns are those of wv_match_fates(). */
static const char fates_sql[] =
	"SELECT fate.fate, fate.by, file.name, servant.line, servant.\"column\", symbol.name,"
	" fate.offset - symbol.offset FROM fate"
	" LEFT JOIN joinpoint AS servant ON servant.id = fate.by"
	" LEFT JOIN file ON file.id = servant.file"
	" LEFT JOIN symbol ON symbol.id = fate.symbol"
	" WHERE fate.joinpoint = ?1 ORDER BY fate.rowid";

/*
 * Combines two queries. The first selects accesses by their own kind. The second selects gets whose
 * value is called later (`f = ops->get; f()`): the call instruction is then a shadow of kind call.
 * Few shadows are of this second sort, so the second query reads the shadows first.
 */
#define ACCESSES_SQL                                                                         \
	MEMBER_SQL("joinpoint.kind", NOT_EXACT, "")                                          \
	" LEFT JOIN shadow ON shadow.joinpoint = joinpoint.id AND shadow.chosen = " OWN_KIND \
	" LEFT JOIN symbol ON symbol.id = shadow.symbol"                                     \
	" WHERE (1 << joinpoint.kind) & " KINDS                                              \
	" UNION ALL "                                                                        \
	MEMBER_SQL(CALL, "0", "CROSS JOIN shadow"                                            \
		   " ON shadow.joinpoint = chosen.id AND shadow.chosen = " FOR_CALL)         \
	" LEFT JOIN symbol ON symbol.id = shadow.symbol WHERE (1 << " CALL ") & " KINDS

static const char member_sql[] = CHOSEN_SQL ACCESSES_SQL;
static const char path_sql[] = CHOSEN_BY_PATH_SQL ACCESSES_SQL;

/* The accesses in all files whose names match ?1. */
static const char file_sql[] =
	"WITH chosen(id) AS (SELECT joinpoint.id FROM (SELECT id FROM file WHERE " WV_FILE_IS
	") AS named CROSS JOIN joinpoint ON joinpoint.file = named.id) " ACCESSES_SQL;

/* Finds the fates of those matches from index @from on that have .open. */
static int find_fates(const struct wv_question *question, size_t from)
{
	struct wv_matches *matches = question->ret;
	sqlite3_stmt *statement;
	int failed = wv_db_keep(question->db, fates_sql, &statement, question->error);

	for (size_t i = from; i < matches->list.n && !failed; i++) {
		if (!matches->list.data[i].open)
			continue;
		sqlite3_bind_int64(statement, 1, matches->list.data[i].joinpoint);
		failed = wv_match_fates(question, statement, &matches->list.data[i]);
		sqlite3_reset(statement);
	}
	return failed;
}

/*
 * Runs @sql, one of the statements above, with @first as ?1 and with the values of @pointcut.
 * Appends the matches to the answer, with their fates.
 */
static int find(const struct wv_question *question, const struct wv_pointcut *pointcut,
		const char *sql, const char *first)
{
	_cleanup_str_ struct wv_str path = { 0 };
	const size_t before = question->ret->list.n;
	sqlite3_stmt *statement;
	int failed = wv_db_keep(question->db, sql, &statement, question->error);

	if (failed)
		return failed;
	wv_db_bind_text(statement, 1, first);
	if (sql != file_sql)
		wv_db_bind_text(statement, 2, wv_member_last(pointcut->member));
	sqlite3_bind_int64(statement, 3, pointcut->kinds);
	sqlite3_bind_int(statement, 4, WEFT_KIND_CALL);
	sqlite3_bind_int(statement, 5, WV_CHOSEN_OWN);
	sqlite3_bind_int(statement, 6, WV_CHOSEN_CALL);
	if (sql == path_sql) {
		wv_str_addf(&path, "%s.%s", pointcut->structure, pointcut->member);
		if (path.failed)
			return wv_no_memory(question->error);
		wv_db_bind_text(statement, 7, path.data);
	}
	failed = wv_match_rows(question, statement);
	sqlite3_reset(statement);
	return failed ? failed : find_fates(question, before);
}

static int find_member(const struct wv_question *question, const struct wv_pointcut *pointcut)
{
	return find(question, pointcut,
		    wv_member_is_path(pointcut->member) ? path_sql : member_sql,
		    pointcut->structure);
}

/*
 * If the compiler knows the struct or the member by another name than the source (renamed.h),
 * searches for that name.
 */
static int find_renamed(const struct wv_question *question)
{
	struct wv_pointcut seen;
	bool changed;
	int failed = wv_pointcut_renamed(question->pointcut, &seen, &changed, question->error);

	if (!failed && changed)
		failed = find_member(question, &seen);
	wv_pointcut_deinit(&seen);
	return failed;
}

int wv_find_accesses(const struct wv_question *question)
{
	const struct wv_pointcut *pointcut = question->pointcut;
	const size_t before = question->ret->list.n;
	int failed;

	if (question->kind->subject == WV_SUBJECT_FILE)
		return find(question, pointcut, file_sql, pointcut->file);
	failed = find_member(question, pointcut);
	return failed || question->ret->list.n > before ? failed : find_renamed(question);
}

int wv_explain_member(const struct wv_question *question)
{
	return wv_db_explain_member(question->db, question->pointcut, question->error);
}

int wv_explain_file(const struct wv_question *question)
{
	return wv_db_explain_file(question->db, question->pointcut->file, question->error);
}
