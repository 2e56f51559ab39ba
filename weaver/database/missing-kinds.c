// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes which kinds of access a member or file has; see missing-kinds.h. */
#include <stdlib.h>
#include <string.h>

#include "runtime/joinpoint-table.h"
#include "base/cleanup.h"
#include "base/order.h"
#include "base/str.h"
#include "database/db-handle.h"
#include "database/missing-kinds.h"
#include "database/pointcut-kinds.h"
#include "database/query.h"
#include "database/renamed.h"
#include "database/wildcard.h"

static int compare_numbers(const void *left, const void *right)
{
	return wv_order(*(const uint64_t *)left, *(const uint64_t *)right);
}

/*
 * Returns the number of joinpoints of kind @kind in @matches. A joinpoint with several shadows
 * counts once. @numbers is memory for temporary use, with room for a number per match.
 */
static size_t count(const struct wv_matches *matches, const char *kind, uint64_t *numbers)
{
	size_t n = 0, different = 0;

	wv_vec_for_each(match, &matches->list)
		if (!strcmp(match->kind, kind))
			numbers[n++] = match->joinpoint;
	qsort(numbers, n, sizeof(*numbers), compare_numbers);
	for (size_t i = 0; i < n; i++)
		different += !i || numbers[i] != numbers[i - 1];
	return different;
}

/* Adds the kinds of access that exist: "; it has get 38, address 1". */
static int add_kinds(const struct wv_matches *matches, struct wv_str *out, struct wv_error *error)
{
	_cleanup_free_ uint64_t *numbers = calloc(matches->list.n + 1, sizeof(*numbers));
	const char *before = "; it has ";

	if (!numbers)
		return wv_no_memory(error);
	for (unsigned int kind = 0; kind < WEFT_KIND_COUNT; kind++) {
		size_t n = count(matches, wv_kind_name(kind), numbers);

		if (n)
			wv_str_addf(out, "%s%s %zu", before, wv_kind_name(kind), n);
		before = n ? ", " : before;
	}
	return 0;
}

/* Adds the words for a set of kinds: "set or rmw". */
static void add_asked(struct wv_str *out, uint32_t kinds)
{
	bool any = false;

	for (unsigned int kind = 0; kind < WEFT_KIND_COUNT; kind++) {
		uint32_t bit = WV_KIND_BIT(kind);

		if (!(kinds & bit))
			continue;
		wv_str_addf(out, "%s%s", !any ? "" : kinds >> kind == 1 ? " or " : ", ",
			    wv_kind_name(kind));
		any = true;
	}
}

/*
 * Selects members that share a union with member ?2 of struct ?1 and have accesses of kinds ?4. ?3
 * is ?2, or the path to it. Two members of one struct that begin at the same byte are taken for
 * members of a union. Bit-fields (flag ?5) are left out, because several of them may begin in one
 * byte without a union.
 */
static const char union_sql[] =
	"SELECT other.innermost, joinpoint.kind, count(*) FROM ("
	" SELECT id FROM field WHERE struct = ?1 AND member = ?2 AND ?2 = ?3"
	" UNION SELECT id FROM field WHERE outermost = ?1 AND innermost = ?2"
	" AND (?2 = ?3 OR path = ?1 || '.' || ?3)) AS asked"
	" CROSS JOIN field AS own ON own.id = asked.id"
	" CROSS JOIN field AS other ON other.outermost = own.outermost"
	" AND other.struct = own.struct AND other.byte = own.byte"
	" AND other.innermost <> own.innermost"
	" AND substr(other.path, 1, length(other.path) - length(other.innermost)) ="
	" substr(own.path, 1, length(own.path) - length(own.innermost))"
	" AND NOT (own.flags | other.flags) & ?5"
	" CROSS JOIN joinpoint ON joinpoint.field = other.id"
	" WHERE (1 << joinpoint.kind) & ?4 GROUP BY 1, 2 ORDER BY 1, 2";

/*
 * If the member is in a union, adds the accesses of the union's other members: "; inode.__i_nlink,
 * in a union with it, has set 3, rmw 4".
 */
static int add_union(struct wv_db *db, const struct wv_pointcut *asked, struct wv_str *out,
		     struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	_cleanup_str_ struct wv_str last = { 0 };
	const int path = wv_member_last(asked->member) - asked->member;
	bool more;
	int ret = wv_db_prepare(db, union_sql, &statement, error);

	if (ret)
		return ret;
	wv_db_bind_text(statement, 1, asked->structure);
	wv_db_bind_text(statement, 2, wv_member_last(asked->member));
	wv_db_bind_text(statement, 3, asked->member);
	sqlite3_bind_int64(statement, 4, asked->kinds);
	sqlite3_bind_int(statement, 5, WEFT_FIELD_BITFIELD);
	ret = wv_db_step(db, statement, &more, error);
	while (!ret && more) {
		const char *name = wv_db_text(statement, 0);

		if (!last.n || strcmp(last.data, name))
			wv_str_addf(out, "; %s.%.*s%s, in a union with it, has ", asked->structure,
				    path, asked->member, name);
		else
			wv_str_add(out, ", ");
		wv_str_addf(out, "%s %lld", wv_kind_name(sqlite3_column_int(statement, 1)),
			    (long long)sqlite3_column_int64(statement, 2));
		wv_str_deinit(&last);
		wv_str_add(&last, name);
		ret = last.failed ? wv_no_memory(error) : wv_db_step(db, statement, &more, error);
	}
	return ret;
}

/* Like add_union(), but takes names of @asked as the compiler sees them (renamed.h). */
static int add_union_renamed(struct wv_db *db, const struct wv_pointcut *asked, struct wv_str *out,
			     struct wv_error *error)
{
	struct wv_pointcut seen;
	bool changed;
	int ret = wv_pointcut_renamed(asked, &seen, &changed, error);

	if (!ret)
		ret = add_union(db, changed ? &seen : asked, out, error);
	wv_pointcut_deinit(&seen);
	return ret;
}

int wv_db_explain_kinds(struct wv_db *db, const struct wv_pointcut *asked, struct wv_error *error)
{
	const bool of_file = wv_pointcut_kind(asked->type)->subject == WV_SUBJECT_FILE;
	_cleanup_str_ struct wv_str text = { 0 };
	struct wv_pointcut all = *asked;
	struct wv_matches matches;
	int ret;

	all.kinds = WV_KINDS_ALL;
	all.exact = false;
	ret = wv_db_query_like(db, &all, &matches, error);
	if (ret)
		return ret;
	if (of_file)
		wv_str_addf(&text, "'%s' has no ", asked->file);
	else
		wv_str_addf(&text, "'%s.%s' has no ", asked->structure, asked->member);
	if (asked->kinds == WV_KINDS_ALL)
		wv_str_add(&text, "access");
	else
		add_asked(&text, asked->kinds);
	if (asked->exact)
		wv_str_add(&text, " with an exact shadow");
	ret = add_kinds(&matches, &text, error);
	wv_matches_deinit(&matches);
	if (!ret && !of_file && !wv_pointcut_is_pattern(asked))
		ret = add_union_renamed(db, asked, &text, error);
	if (!ret && text.failed)
		ret = wv_no_memory(error);
	return ret ? ret : wv_fail(error, WV_E_NO_MATCH, "%s", text.data);
}
