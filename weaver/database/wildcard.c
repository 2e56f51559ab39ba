// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Expands patterns to names; see wildcard.h. Functions of the whole database are looked up in its
 * list of names (name-list.h), everything else in its tables. SQLite's GLOB understands * and ? in
 * the same way. It also understands [], which no name here can contain.
 */
#include <stdlib.h>
#include <string.h>

#include "base/notation.h"
#include "database/db-handle.h"
#include "database/file-name.h"
#include "database/name-list.h"
#include "database/no-match.h"
#include "database/pointcut-kinds.h"
#include "database/wildcard.h"
#include "database/within.h"

/* SQL that restricts names to those whose ids are between ?3 and ?4: the names of one image. */
#define OF_IMAGE " AND id BETWEEN ?3 AND ?4"

/*
 * The names of an image's functions that match a pattern. The cold part of a function has a symbol
 * of its own, "vfs_read.cold", which is left out: "vfs_*" means functions, and no function is
 * entered at its cold part. Symbols without a type (WV_SYMBOL_LABEL), which assembler code has and
 * which are a third of the symbols in a kernel's modules, are left out before names are compared,
 * because comparing names takes longer.
 */
#define FUNCTIONS_SQL \
	"SELECT name, NULL FROM symbol WHERE " WV_SQL_IS_NO_LABEL("flags") " AND name GLOB ?1" \
	" AND name NOT GLOB '*.cold*'" OF_IMAGE
#define TRACEPOINTS_SQL \
	"SELECT substr(name, length('" WV_TRACEPOINT_FUNCTION "') + 1), NULL FROM symbol"        \
	" WHERE " WV_SQL_IS_NO_LABEL("flags") " AND name GLOB '" WV_TRACEPOINT_FUNCTION "' || ?1"  \
	" AND id BETWEEN ?3 AND ?4 GROUP BY name ORDER BY 1"
#define COPIES_SQL "SELECT name, NULL FROM inline WHERE name GLOB ?1" OF_IMAGE

/*
 * Selects the members whose struct matches the pattern ?2 and whose name matches the pattern ?1. As
 * in find-accesses.c, ?2 may match:
 * - the struct that declares the member;
 * - the struct with which the expression of an access begins;
 * - that struct again, if ?1 matches the macro by which the source writes the member.
 */
#define MEMBERS_SQL(only, only_macro)                                                          \
	"SELECT member, struct FROM field WHERE struct GLOB ?2 AND member GLOB ?1" only        \
	" UNION SELECT innermost, outermost FROM field WHERE outermost GLOB ?2"                \
	" AND innermost GLOB ?1" only                                                          \
	" UNION SELECT macro.name, field.outermost FROM macro CROSS JOIN joinpoint"            \
	" ON joinpoint.macro = macro.id CROSS JOIN field ON field.id = joinpoint.field"        \
	" WHERE field.outermost GLOB ?2 AND macro.name GLOB ?1" only_macro " ORDER BY 2, 1"

/*
 * The paths of members that match a pattern. GLOB's * also matches dots, but a * in a pattern of
 * weft matches only within one name of a path. So the path must have as many dots as the pattern.
 */
#define NR_DOTS(text) "length(" text ") - length(replace(" text ", '.', ''))"
#define PATHS_SQL(only)                                                                        \
	"SELECT substr(path, length(outermost) + 2), outermost FROM field"                     \
	" WHERE outermost GLOB ?2 AND substr(path, length(outermost) + 2) GLOB ?1"             \
	" AND " NR_DOTS("path") " = " NR_DOTS("?1") " + 1" only " ORDER BY 2, 1"

static bool is_member(const struct wv_pointcut *pointcut)
{
	return wv_pointcut_kind(pointcut->type)->subject == WV_SUBJECT_MEMBER;
}

static const char *pattern(const struct wv_pointcut *pointcut)
{
	const char *text = is_member(pointcut) ? pointcut->member : pointcut->symbol;

	return text ? text : "";
}

bool wv_pointcut_is_pattern(const struct wv_pointcut *pointcut)
{
	return wv_is_pattern(pattern(pointcut)) ||
	       (pointcut->structure && wv_is_pattern(pointcut->structure));
}

/*
 * Copies @pointcut to @ret. Each of @module, @structure and @name that is not NULL replaces the
 * corresponding value in the copy.
 */
static int copy(const struct wv_pointcut *pointcut, const char *module, const char *structure,
		const char *name, struct wv_pointcut *ret)
{
	struct wv_pointcut named = *pointcut;

	/* The casts are safe: wv_pointcut_copy() only reads the texts. */
	named.module = module ? (char *)module : named.module;
	named.structure = structure ? (char *)structure : named.structure;
	if (name && is_member(pointcut))
		named.member = (char *)name;
	else if (name)
		named.symbol = (char *)name;
	return wv_pointcut_copy(&named, ret);
}

/*
 * Returns whether the pattern is only for names in the images that the pointcut's .module matches.
 */
static bool is_of_images(const struct wv_pointcut *pointcut)
{
	return pointcut->module && !wv_pointcut_kind(pointcut->type)->elsewhere;
}

/* Returns whether the pattern matches names of functions, those of all images. */
static bool is_of_list(const struct wv_pointcut *pointcut)
{
	return !is_member(pointcut) && !is_of_images(pointcut) &&
	       pointcut->type != WV_POINTCUT_TRACEPOINT;
}

static const char *names_sql(const struct wv_pointcut *pointcut)
{
	const bool module = is_of_images(pointcut);

	if (is_member(pointcut) && wv_member_is_path(pointcut->member))
		return module ? PATHS_SQL(OF_IMAGE) : PATHS_SQL("");
	if (is_member(pointcut))
		return module ? MEMBERS_SQL(OF_IMAGE, " AND macro.id BETWEEN ?3 AND ?4") :
				MEMBERS_SQL("", "");
	if (pointcut->type == WV_POINTCUT_TRACEPOINT)
		return TRACEPOINTS_SQL;
	if (pointcut->only_inlined)
		return COPIES_SQL " ORDER BY 1";
	if (pointcut->inlined)
		return FUNCTIONS_SQL " UNION " COPIES_SQL " ORDER BY 1";
	return FUNCTIONS_SQL " GROUP BY name ORDER BY 1";
}

/* @structure: NULL if @like is of no member. */
static int add(const struct wv_pointcut *like, const char *module, const char *structure,
	       const char *name, struct wv_pointcuts *ret, struct wv_error *error)
{
	struct wv_pointcut *slot = wv_vec_push(ret);

	return slot && !copy(like, module, structure, name, slot) ? 0 : wv_no_memory(error);
}

/* Adds the names of the database's list. */
static int add_listed(struct wv_db *db, const struct wv_pointcut *like, struct wv_pointcuts *ret,
		      struct wv_error *error)
{
	const unsigned int is = like->only_inlined ? WV_NAME_IS_INLINED :
				like->inlined ? WV_NAME_IS_FUNCTION | WV_NAME_IS_INLINED :
						WV_NAME_IS_FUNCTION;
	_cleanup_str_ struct wv_str names = { 0 };
	int failed = wv_db_names_like(db, pattern(like), is, &names, error);

	for (size_t at = 0; at < names.n && !failed; at += strlen(names.data + at) + 1)
		failed = add(like, NULL, NULL, names.data + at, ret, error);
	return failed;
}

/*
 * Adds a pointcut like @like for each name that @statement, which is bound, returns. If @module is
 * not NULL, it is the name of the image that has the names, and the pointcuts name this image only.
 */
static int add_all(struct wv_db *db, const struct wv_pointcut *like, const char *module,
		   sqlite3_stmt *statement, struct wv_pointcuts *ret, struct wv_error *error)
{
	bool more;
	int failed = wv_db_step(db, statement, &more, error);

	while (!failed && more) {
		failed = add(like, module, is_member(like) ? wv_db_text(statement, 1) : NULL,
			     wv_db_text(statement, 0), ret, error);
		if (!failed)
			failed = wv_db_step(db, statement, &more, error);
	}
	return failed;
}

/*
 * Runs @statement for each image whose name matches the pattern's module, and adds the names that
 * the statement returns.
 */
static int add_images(struct wv_db *db, const struct wv_pointcut *like, sqlite3_stmt *statement,
		      struct wv_pointcuts *ret, struct wv_error *error)
{
	int failed = 0;

	for (uint64_t image = 0; image < db->images.strings.n && !failed; image++) {
		const char *name = wv_pool_get(&db->images, image);

		if (!wv_module_is(name, like->module))
			continue;
		sqlite3_reset(statement);
		sqlite3_bind_int64(statement, 3, (sqlite3_int64)(image << WV_IMAGE_ID_BITS));
		sqlite3_bind_int64(statement, 4,
				   (sqlite3_int64)((image + 1) << WV_IMAGE_ID_BITS) - 1);
		failed = add_all(db, like, name, statement, ret, error);
	}
	return failed;
}

/*
 * Reports that nothing matches the pattern. If a member's struct is no pattern, similar names are
 * offered for an unknown struct or member.
 */
static int explain(struct wv_db *db, const struct wv_pointcut *like, struct wv_error *error)
{
	int missing = like->module ? wv_db_explain_module(db, like->module, error) : 0;

	if (missing)
		return missing;
	if (like->type == WV_POINTCUT_TRACEPOINT)
		return wv_fail(error, WV_E_NO_MATCH,
			       "no tracepoint of this kernel is named like '%s'", like->symbol);
	if (like->module)
		return wv_fail(error, WV_E_NO_MATCH, "no %s in '%s' is named like '%s%s%s'",
			       is_member(like) ? "member that is accessed" : "function",
			       like->module, is_member(like) ? like->structure : "",
			       is_member(like) ? "." : "", pattern(like));
	if (!is_member(like))
		return wv_fail(error, WV_E_NO_MATCH,
			       "no function of this kernel is named like '%s'", like->symbol);
	if (!wv_is_pattern(like->structure)) {
		int failed = wv_db_explain_member(db, like, error);

		if (failed)
			return failed;
	}
	return wv_fail(error, WV_E_NO_MATCH,
		       "no member that is accessed in this kernel is named like '%s.%s'",
		       like->structure, like->member);
}

/* Adds the names that the database's tables have. */
static int add_from_tables(struct wv_db *db, const struct wv_pointcut *like,
			   struct wv_pointcuts *ret, struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int failed = wv_db_prepare(db, names_sql(like), &statement, error);

	if (failed)
		return failed;
	wv_db_bind_text(statement, 1, pattern(like));
	if (is_member(like))
		wv_db_bind_text(statement, 2, like->structure);
	return is_of_images(like) ? add_images(db, like, statement, ret, error) :
				    add_all(db, like, NULL, statement, ret, error);
}

int wv_db_spell_out(struct wv_db *db, const struct wv_pointcut *like, struct wv_pointcuts *ret,
		    struct wv_error *error)
{
	int failed;

	memset(ret, 0, sizeof(*ret));
	failed = is_of_list(like) ? add_listed(db, like, ret, error) :
				    add_from_tables(db, like, ret, error);
	if (!failed && !ret->n)
		failed = explain(db, like, error);
	if (failed)
		wv_pointcuts_deinit(ret);
	return failed;
}

int wv_db_query_like(struct wv_db *db, const struct wv_pointcut *pointcut, struct wv_matches *ret,
		     struct wv_error *error)
{
	struct wv_pointcuts meant;
	int failed;

	memset(ret, 0, sizeof(*ret));
	if (!wv_pointcut_is_pattern(pointcut))
		return wv_db_query(db, pointcut, ret, error);
	failed = wv_db_spell_out(db, pointcut, &meant, error);
	if (failed)
		return failed;
	failed = wv_db_query_each(db, meant.data, meant.n, ret, error);
	wv_pointcuts_deinit(&meant);
	return failed;
}

void wv_pointcuts_deinit(struct wv_pointcuts *pointcuts)
{
	wv_vec_for_each(pointcut, pointcuts)
		wv_pointcut_deinit(pointcut);
	wv_vec_deinit(pointcuts);
}
