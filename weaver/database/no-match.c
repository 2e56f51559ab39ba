// SPDX-License-Identifier: GPL-2.0-or-later
/* Explains why a pointcut found nothing, with similar names; see no-match.h. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "database/db-handle.h"
#include "database/db.h"
#include "database/file-name.h"
#include "base/suggest.h"
#include "database/no-match.h"
#include "database/renamed.h"

/* Sets *@ret to whether the statement @sql, with @text as ?1, returns a row. */
static int exists(struct wv_db *db, const char *sql, const char *text, bool *ret,
		  struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int failed = wv_db_prepare(db, sql, &statement, error);

	if (failed)
		return failed;
	wv_db_bind_text(statement, 1, text);
	return wv_db_step(db, statement, ret, error);
}

/*
 * What a query returns. This decides which part of each result is offered as a suggestion:
 * - NAMES: the whole name.
 * - FILES: the last components of the path.
 * - FOLDERS: the first components of the path.
 * Of a path, as many components are offered as the user has written.
 */
enum what { NAMES, FILES, FOLDERS };

/* Offers every name that @sql returns, with @text as ?1, as a suggestion. */
static int offer(struct wv_db *db, const char *sql, const char *text, enum what what,
		 struct wv_suggestion *suggestion, struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	char folder[PATH_MAX];
	bool more;
	int ret = wv_db_prepare(db, sql, &statement, error);

	if (ret)
		return ret;
	if (sqlite3_bind_parameter_count(statement))
		wv_db_bind_text(statement, 1, text);
	ret = wv_db_step(db, statement, &more, error);
	while (!ret && more) {
		const char *name = wv_db_text(statement, 0);

		if (what == FOLDERS)
			name = wv_file_folder(name, suggestion->wanted, folder, sizeof(folder));
		wv_suggestion_offer(suggestion,
				    what == FILES ? wv_file_part(name, suggestion->wanted) : name);
		ret = wv_db_step(db, statement, &more, error);
	}
	return ret;
}

#define HINT_SIZE 512

/*
 * Adds to @ret the text @before and a list of the names that @sql returns, where ?1 is @text. Adds
 * nothing, not even @before, if @sql returns no names.
 */
static int list(struct wv_db *db, const char *sql, const char *text, const char *before,
		struct wv_str *ret, struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	bool more;
	int failed = wv_db_prepare(db, sql, &statement, error);

	if (failed)
		return failed;
	wv_db_bind_text(statement, 1, text);
	failed = wv_db_step(db, statement, &more, error);
	while (!failed && more) {
		wv_str_addf(ret, "%s%s", before, wv_db_text(statement, 0));
		before = ", ";
		failed = wv_db_step(db, statement, &more, error);
	}
	return failed;
}

/* The members of struct ?1 with the most accesses. */
#define MEMBERS_SQL(number)                                                        \
	"SELECT member FROM field JOIN joinpoint ON joinpoint.field = field.id"    \
	" WHERE struct = ?1 GROUP BY member ORDER BY count(*) DESC, member LIMIT " number

static int unknown_struct(struct wv_db *db, const struct wv_pointcut *pointcut,
			  struct wv_error *error)
{
	struct wv_suggestion suggestion = { .wanted = pointcut->structure };
	_cleanup_str_ struct wv_str file = { 0 };
	char hint[HINT_SIZE];
	bool is_file = false;
	int ret;

	/*
	 * A file's name such as "namei.c" has the form STRUCT.MEMBER: check whether it is a file.
	 */
	wv_str_addf(&file, "%s.%s", pointcut->structure, pointcut->member);
	if (file.failed)
		return wv_no_memory(error);
	ret = exists(db, "SELECT 1 FROM file WHERE " WV_FILE_IS, file.data, &is_file, error);
	if (!ret && is_file)
		return wv_fail(error, WV_E_NO_MATCH,
			       "'%s' is a file; write %s:LINE for a line of it", file.data,
			       file.data);
	if (!ret)
		ret = offer(db,
			    "SELECT DISTINCT struct FROM field UNION SELECT outermost FROM field",
			    NULL, NAMES, &suggestion, error);
	if (ret)
		return ret;
	return wv_fail(error, WV_E_NO_MATCH,
		       "no struct, union or typedef '%s' is accessed in %s%s",
		       pointcut->structure, wv_db_target(db),
		       wv_suggestion_text(&suggestion, hint, sizeof(hint)));
}

/*
 * Writes to @buffer the text that follows "no member 'x' " in the message: "of 'STRUCT'" or, if the
 * struct has no name, "of a struct without a name". Returns @buffer.
 */
static const char *of_struct(const struct wv_pointcut *pointcut, char *buffer, size_t size)
{
	if (*pointcut->structure)
		snprintf(buffer, size, "of '%s'", pointcut->structure);
	else
		snprintf(buffer, size, "of a struct without a name");
	return buffer;
}

/* All names of the members of struct ?1 by which find-accesses.c finds them. */
static const char names_sql[] =
	"SELECT member FROM field WHERE struct = ?1"
	" UNION SELECT innermost FROM field WHERE outermost = ?1"
	" UNION SELECT macro.name FROM field JOIN joinpoint ON joinpoint.field = field.id"
	" JOIN macro ON macro.id = joinpoint.macro WHERE field.outermost = ?1";

/* The paths of members of struct ?1, without the name of the struct. */
static const char paths_sql[] =
	"SELECT substr(path, length(outermost) + 2) FROM field WHERE outermost = ?1 AND path <> ''";

static int unknown_member(struct wv_db *db, const struct wv_pointcut *pointcut,
			  struct wv_error *error)
{
	const bool is_path = wv_member_is_path(pointcut->member);
	struct wv_suggestion suggestion = { .wanted = pointcut->member };
	_cleanup_str_ struct wv_str others = { 0 };
	char hint[HINT_SIZE], structure[HINT_SIZE];
	int ret = offer(db, is_path ? paths_sql : names_sql, pointcut->structure, NAMES,
			&suggestion, error);

	/*
	 * There is no similar name: list other structs with this member, or this struct's members
	 * with the most accesses.
	 */
	if (!ret && !suggestion.n)
		ret = list(
			db,
			"SELECT struct FROM field JOIN joinpoint ON joinpoint.field = field.id"
			" WHERE member = ?1 AND struct <> '' GROUP BY struct"
			" ORDER BY count(*) DESC, struct LIMIT 3",
			wv_member_last(pointcut->member), "; one of that name is in ", &others,
			error);
	if (!ret && !suggestion.n && !others.n)
		ret = list(db, MEMBERS_SQL("5"), pointcut->structure, "; most accessed are ",
			   &others, error);
	if (ret)
		return ret;
	return wv_fail(error, WV_E_NO_MATCH, "no member '%s' %s is accessed in %s%s%s",
		       pointcut->member, of_struct(pointcut, structure, sizeof(structure)),
		       wv_db_target(db),
		       wv_suggestion_text(&suggestion, hint, sizeof(hint)), wv_str_text(&others));
}

/*
 * Selects a row if the kernel accesses the member that the user has named, else none. ?1 is the
 * struct, and ?2 is the member's name. The member may be in the struct itself or in a struct inside
 * it, or ?2 may be a macro by which the source writes the member. If the user has written a path,
 * ?3 is the path, which ends in ?2, and the member must be at that path; otherwise ?3 equals ?2.
 * The rules are those of find-accesses.c.
 */
static const char known_sql[] =
	"SELECT 1 FROM field WHERE struct = ?1 AND member = ?2 AND ?2 = ?3"
	" UNION ALL SELECT 1 FROM field WHERE outermost = ?1 AND innermost = ?2"
	" AND (?2 = ?3 OR path = ?1 || '.' || ?3)"
	" UNION ALL SELECT 1 FROM macro JOIN joinpoint ON joinpoint.macro = macro.id"
	" JOIN field ON field.id = joinpoint.field"
	" WHERE macro.name = ?2 AND field.outermost = ?1 AND (?2 = ?3 OR substr(path, 1,"
	" length(?1) + 1 + length(?3) - length(?2)) ="
	" ?1 || '.' || substr(?3, 1, length(?3) - length(?2))) LIMIT 1";

static int is_known(struct wv_db *db, const struct wv_pointcut *pointcut, bool *ret,
		    struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int failed = wv_db_prepare(db, known_sql, &statement, error);

	if (failed)
		return failed;
	wv_db_bind_text(statement, 1, pointcut->structure);
	wv_db_bind_text(statement, 2, wv_member_last(pointcut->member));
	wv_db_bind_text(statement, 3, pointcut->member);
	return wv_db_step(db, statement, ret, error);
}

static int explain_member(struct wv_db *db, const struct wv_pointcut *pointcut,
			  struct wv_error *error)
{
	bool known;
	int ret = exists(db,
			 "SELECT 1 FROM field WHERE struct = ?1"
			 " UNION ALL SELECT 1 FROM field WHERE outermost = ?1 LIMIT 1",
			 pointcut->structure, &known, error);

	if (!ret && !known && *pointcut->structure)
		return unknown_struct(db, pointcut, error);
	if (!ret)
		ret = is_known(db, pointcut, &known, error);
	return ret || known ? ret : unknown_member(db, pointcut, error);
}

int wv_db_explain_member(struct wv_db *db, const struct wv_pointcut *pointcut,
			 struct wv_error *error)
{
	struct wv_pointcut seen;
	bool changed;
	int ret = wv_pointcut_renamed(pointcut, &seen, &changed, error);

	if (!ret)
		ret = explain_member(db, changed ? &seen : pointcut, error);
	wv_pointcut_deinit(&seen);
	return ret;
}

/*
 * Selects the symbols that the compiler has made from function ?1, such as foo.part.0 and
 * foo.isra.0. Cold parts such as foo.cold are not functions, so they are selected only if there are
 * no other symbols. All these names begin with ?1 and a dot. As '/' is the character after '.',
 * they are the names between "?1." and "?1/", so SQLite reads only this range of the index.
 */
#define MADE_OF_SQL                                                                 \
	"FROM symbol WHERE name > ?1 || '.' AND name < ?1 || '/' AND "              \
	WV_SQL_IS_NO_LABEL("flags")
static const char made_of_sql[] =
	"SELECT DISTINCT name " MADE_OF_SQL " AND (name NOT GLOB '*.cold*' OR NOT EXISTS"
	" (SELECT 1 " MADE_OF_SQL " AND name NOT GLOB '*.cold*')) ORDER BY name LIMIT 3";

/* Reports a function that has code only under names made by the compiler, or no code at all. */
static int no_code(struct wv_db *db, const char *function, struct wv_error *error)
{
	_cleanup_str_ struct wv_str made = { 0 };
	int ret = list(db, made_of_sql, function, "", &made, error);

	if (ret)
		return ret;
	if (!made.n)
		return wv_fail(error, WV_E_NO_MATCH,
			       "function '%s' has no code of its own in this kernel: it is inlined "
			       "or was left out",
			       function);
	return wv_fail(error, WV_E_NO_MATCH,
		       "function '%s' has no code of its own in this kernel: the compiler made %s "
		       "of it; did you mean %s?",
		       function, made.data, strchr(made.data, ',') ? "one of these" : "that");
}

int wv_db_explain_symbol(struct wv_db *db, const char *symbol, struct wv_error *error)
{
	struct wv_suggestion suggestion = { .wanted = symbol };
	_cleanup_str_ struct wv_str member = { 0 };
	char hint[HINT_SIZE];
	bool known;
	int ret = exists(db, "SELECT 1 FROM symbol WHERE name = ?1 AND "
			     WV_SQL_IS_NO_LABEL("flags"), symbol, &known,
			 error);

	if (ret || known)
		return ret;
	ret = exists(db, "SELECT 1 FROM symbol WHERE name = ?1 AND NOT flags & "
		     WV_SQL(WV_SYMBOL_IMPORT), symbol, &known, error);
	if (ret)
		return ret;
	if (known)
		return wv_fail(error, WV_E_NO_MATCH,
			       "'%s' is an assembler label, not a function: name an instruction of "
			       "it, as in %s+0",
			       symbol, symbol);
	ret = exists(db, "SELECT 1 FROM function WHERE name = ?1 UNION ALL SELECT 1 "
		     MADE_OF_SQL, symbol, &known, error);
	if (ret)
		return ret;
	if (known)
		return no_code(db, symbol, error);
	ret = list(db, MEMBERS_SQL("1"), symbol, "", &member, error);
	if (ret)
		return ret;
	if (member.n)
		return wv_fail(error, WV_E_NO_MATCH,
			       "no function '%s' in %s; the struct's members are written "
			       "%s.MEMBER, as in %s.%s",
			       symbol, wv_db_target(db), symbol, symbol, member.data);
	ret = offer(db, "SELECT name FROM symbol WHERE " WV_SQL_IS_NO_LABEL("flags"), NULL, NAMES,
		    &suggestion, error);
	if (ret)
		return ret;
	return wv_fail(error, WV_E_NO_MATCH, "no function '%s' in %s%s", symbol, wv_db_target(db),
		       wv_suggestion_text(&suggestion, hint, sizeof(hint)));
}

static const char tracepoints_sql[] =
	"SELECT substr(name, length('" WV_TRACEPOINT_FUNCTION "') + 1) FROM symbol"
	" WHERE name GLOB '" WV_TRACEPOINT_FUNCTION "*' AND " WV_SQL_IS_NO_LABEL("flags");

/*
 * Returns whether @name is the event of one system call, such as sys_enter_openat. Such an event
 * has no tracepoint of its own: the kernel makes all of them from the two tracepoints sys_enter and
 * sys_exit, which every system call reaches.
 */
static bool is_of_one_syscall(const char *name)
{
	return !strncmp(name, "sys_enter_", 10) || !strncmp(name, "sys_exit_", 9);
}

int wv_db_explain_tracepoint(struct wv_db *db, const char *name, struct wv_error *error)
{
	struct wv_suggestion suggestion = { .wanted = name };
	char hint[HINT_SIZE];
	int ret;

	if (is_of_one_syscall(name))
		return wv_fail(error, WV_E_NO_MATCH,
			       "'%s' is an event made of a tracepoint: the tracepoints of system "
			       "calls are sys_enter and sys_exit, and $(id) of sys_enter is the "
			       "call's number",
			       name);
	ret = offer(db, tracepoints_sql, NULL, NAMES, &suggestion, error);
	if (ret)
		return ret;
	return wv_fail(error, WV_E_NO_MATCH, "no tracepoint '%s' in %s%s", name, wv_db_target(db),
		       wv_suggestion_text(&suggestion, hint, sizeof(hint)));
}

static int unknown_file(struct wv_db *db, const char *file, struct wv_error *error)
{
	struct wv_suggestion suggestion = { .wanted = file };
	bool folder = wv_file_is_folder(file);
	char hint[HINT_SIZE];
	int ret = offer(db, "SELECT name FROM file", NULL, folder ? FOLDERS : FILES, &suggestion,
			error);

	if (ret)
		return ret;
	if (wv_is_pattern(file))
		return wv_fail(error, WV_E_NO_MATCH, "no %s of %s is named like '%s'",
			       folder ? "folder" : "file", wv_db_target(db), file);
	return wv_fail(error, WV_E_NO_MATCH, "no %s '%s' in %s%s",
		       folder ? "folder" : "file", file, wv_db_target(db),
		       wv_suggestion_text(&suggestion, hint, sizeof(hint)));
}

int wv_db_explain_file(struct wv_db *db, const char *file, struct wv_error *error)
{
	bool known;
	int ret = exists(db, "SELECT 1 FROM file WHERE " WV_FILE_IS, file, &known, error);

	return ret || known ? ret : unknown_file(db, file, error);
}

/*
 * Adds to @ret, for each file that matches the pointcut's file, the nearest lines with code before
 * and after the pointcut's line.
 */
static int nearest_lines(struct wv_db *db, const struct wv_pointcut *pointcut, struct wv_str *ret,
			 struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	bool more;
	int failed;

	failed = wv_db_prepare(db,
			       "SELECT name,"
			       " (SELECT max(line) FROM line WHERE file = id AND line < ?2),"
			       " (SELECT min(line) FROM line WHERE file = id AND line > ?2)"
			       " FROM file WHERE " WV_FILE_IS " ORDER BY name LIMIT 3",
			       &statement, error);
	if (failed)
		return failed;
	wv_db_bind_text(statement, 1, pointcut->file);
	sqlite3_bind_int64(statement, 2, pointcut->line);
	failed = wv_db_step(db, statement, &more, error);
	while (!failed && more) {
		for (int column = 1; column <= 2; column++)
			if (sqlite3_column_int64(statement, column))
				wv_str_addf(ret, "%s%s:%lld", ret->n ? ", " : "; nearest: ",
					    wv_db_text(statement, 0),
					    (long long)sqlite3_column_int64(statement, column));
		failed = wv_db_step(db, statement, &more, error);
	}
	return failed;
}

int wv_db_explain_line(struct wv_db *db, const struct wv_pointcut *pointcut,
		       struct wv_error *error)
{
	_cleanup_str_ struct wv_str lines = { 0 };
	int ret = wv_db_explain_file(db, pointcut->file, error);

	if (!ret)
		ret = nearest_lines(db, pointcut, &lines, error);
	if (ret)
		return ret;
	return wv_fail(error, WV_E_NO_MATCH, "line %u of %s holds no code%s", pointcut->line,
		       pointcut->file, wv_str_text(&lines));
}
