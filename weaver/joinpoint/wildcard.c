// SPDX-License-Identifier: GPL-2.0-or-later
/* Patterns to names; see wildcard.h. SQLite's GLOB has the same * and ? (and [], which no name here can have). */
#include <stdlib.h>
#include <string.h>

#include "joinpoint/db-internal.h"
#include "joinpoint/wildcard.h"

/* A cold part is no function of its own: nobody means its first instruction by "vfs_*". */
#define FUNCTIONS_SQL \
	"SELECT name FROM symbol WHERE name GLOB ?1 AND NOT flags & 4 AND name NOT GLOB '*.cold*'"
#define COPIES_SQL "SELECT name FROM inline WHERE name GLOB ?1"

static const char *const members_sql =
	"SELECT member FROM field WHERE struct = ?2 AND member GLOB ?1"
	" UNION SELECT innermost FROM field WHERE outermost = ?2 AND innermost GLOB ?1"
	" UNION SELECT macro.name FROM field JOIN joinpoint ON joinpoint.field = field.id"
	" JOIN macro ON macro.id = joinpoint.macro WHERE field.outermost = ?2 AND macro.name GLOB ?1"
	" ORDER BY 1";

static bool is_member(const struct wv_pointcut *pointcut)
{
	return pointcut->type == WV_POINTCUT_MEMBER;
}

static const char *pattern(const struct wv_pointcut *pointcut)
{
	const char *text = is_member(pointcut) ? pointcut->member : pointcut->symbol;

	return text ? text : "";
}

bool wv_pointcut_is_pattern(const struct wv_pointcut *pointcut)
{
	return strpbrk(pattern(pointcut), "*?");
}

static char *copy_text(const char *text, bool *failed)
{
	char *copy = text ? strdup(text) : NULL;

	*failed |= text && !copy;
	return copy;
}

int wv_pointcut_copy(const struct wv_pointcut *pointcut, const char *name, struct wv_pointcut *ret)
{
	bool failed = false, member = is_member(pointcut);

	*ret = *pointcut;
	ret->structure = copy_text(pointcut->structure, &failed);
	ret->member = copy_text(name && member ? name : pointcut->member, &failed);
	ret->symbol = copy_text(name && !member ? name : pointcut->symbol, &failed);
	ret->file = copy_text(pointcut->file, &failed);
	if (failed)
		wv_pointcut_deinit(ret);
	return failed ? -1 : 0;
}

static const char *names_sql(const struct wv_pointcut *pointcut)
{
	if (is_member(pointcut))
		return members_sql;
	if (pointcut->only_copies)
		return COPIES_SQL " ORDER BY 1";
	return pointcut->copies ? FUNCTIONS_SQL " UNION " COPIES_SQL " ORDER BY 1" :
				  FUNCTIONS_SQL " GROUP BY name ORDER BY 1";
}

static int add(struct wv_names *names, const char *name, struct wv_error *error)
{
	char **slot = wv_vec_push(names);

	if (slot)
		*slot = strdup(name);
	return slot && *slot ? 0 : wv_fail(error, WV_E_NO_MEMORY, "out of memory");
}

int wv_db_names(struct wv_db *db, const struct wv_pointcut *pointcut, struct wv_names *ret,
		struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	bool more;
	int failed = wv_db_prepare(db, names_sql(pointcut), &statement, error);

	memset(ret, 0, sizeof(*ret));
	if (!failed) {
		wv_db_bind_text(statement, 1, pattern(pointcut));
		if (is_member(pointcut))
			wv_db_bind_text(statement, 2, pointcut->structure);
		failed = wv_db_step(db, statement, &more, error);
	}
	while (!failed && more) {
		failed = add(ret, wv_db_text(statement, 0), error);
		if (!failed)
			failed = wv_db_step(db, statement, &more, error);
	}
	if (!failed && pointcut->type == WV_POINTCUT_CALLERS && ret->n > WV_CALLED_MAX)
		failed = wv_fail(error, WV_E_NO_MATCH,
				 "'%s' stands for %zu functions; the calls of at most %u can be looked for at once",
				 pattern(pointcut), ret->n, WV_CALLED_MAX);
	if (!failed && !ret->n && is_member(pointcut))
		failed = wv_db_explain_member(db, pointcut, error);
	if (!failed && !ret->n)
		failed = wv_fail(error, WV_E_NO_MATCH, "no function of this kernel is named like '%s'",
				 pattern(pointcut));
	if (failed)
		wv_names_deinit(ret);
	return failed;
}

void wv_names_deinit(struct wv_names *names)
{
	wv_vec_for_each(name, names)
		free(*name);
	wv_vec_deinit(names);
}
