// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Walks the instructions of functions; see control-flow.h. Sizes of symbols are untrusted and are
 * limited to the text in the database.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "image/patch-sites.h"
#include "database/control-flow.h"
#include "database/db.h"
#include "database/find.h"
#include "database/match-rows.h"
#include "database/no-match.h"
#include "database/within.h"

int wv_flow_add(struct wv_flow_search *flow, struct wv_offsets *list, uint64_t offset)
{
	uint64_t *slot = wv_vec_push(list);

	if (!slot)
		return wv_no_memory(flow->error);
	*slot = offset;
	return 0;
}

int wv_offsets_compare(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return a < b ? -1 : a > b;
}

void wv_offsets_sort_once(struct wv_offsets *list)
{
	size_t n = 0;

	if (!list->n)
		return;
	qsort(list->data, list->n, sizeof(*list->data), wv_offsets_compare);
	for (size_t i = 0; i < list->n; i++)
		if (!n || list->data[n - 1] != list->data[i])
			list->data[n++] = list->data[i];
	list->n = n;
}

bool wv_flow_is_inside(const struct wv_flow_body *body, uint64_t offset)
{
	for (size_t i = 0; i < body->n; i++)
		if (offset - body->parts[i].start < body->parts[i].end - body->parts[i].start)
			return true;
	return false;
}

size_t wv_flow_decode(struct wv_flow_search *flow, uint64_t offset, struct wv_insn *ret)
{
	uint8_t bytes[WEFT_INSN_MAX];
	size_t n = wv_db_bytes(flow->db, offset, bytes, sizeof(bytes));
	size_t length = wv_decode_rules(bytes, n, flow->db->text_address + offset, ret);

	if (!n)
		return 0;
	if (ret->direct)
		ret->target -= flow->db->text_address;
	return length ? length : 1;
}

/*
 * If the instruction is a direct jump or branch to a cold part of the function, adds the cold part
 * to @body, unless @body has this part already or is full.
 */
static void follow(const struct wv_flow_search *flow, struct wv_flow_body *body,
		   const struct wv_insn *insn)
{
	if ((insn->control != WR_CONTROL_JUMP && insn->control != WR_CONTROL_BRANCH) ||
	    !insn->direct || wv_flow_is_inside(body, insn->target))
		return;
	wv_vec_for_each(part, &flow->cold) {
		if (body->n == WV_FLOW_PARTS_MAX)
			return;
		if (insn->target - part->start >= part->end - part->start)
			continue;
		body->parts[body->n++] = *part;
		return;
	}
}

int wv_flow_walk(struct wv_flow_search *flow, struct wv_flow_body *body, wv_flow_visit visit)
{
	for (size_t i = 0; i < body->n; i++) {
		uint64_t at = body->parts[i].start;

		while (at < body->parts[i].end) {
			struct wv_insn insn;
			size_t length = wv_flow_decode(flow, at, &insn);
			int ret = length && insn.length ? visit(flow, body, at, &insn) : 0;

			if (ret)
				return ret;
			if (!length)
				break;
			at += length;
		}
	}
	return 0;
}

static int visit_part(struct wv_flow_search *flow, struct wv_flow_body *body, uint64_t offset,
		      const struct wv_insn *insn)
{
	follow(flow, body, insn);
	return 0;
}

/*
 * Walks the parts of the function, from body->parts[0] on. visit_part() appends to body->parts each
 * cold part to which a visited instruction jumps. The walk visits the appended parts as well, so it
 * also finds a cold part to which only another cold part jumps.
 */
int wv_flow_find_parts(struct wv_flow_search *flow, struct wv_flow_body *body)
{
	return wv_flow_walk(flow, body, visit_part);
}

/*
 * Sets *@ret to whether the jump at @offset is a detour: a jump that stays in the function although
 * its target @target does not lie in it. GCC compiles static_cpu_has() to such a jump: it leads to
 * code outside of any function, and that code jumps back. When the kernel boots, it replaces the
 * jump by a nop or by a jump inside the function. A jump is taken for a detour if it is an
 * alternative and no function contains its target.
 */
static int is_detour(struct wv_flow_search *flow, uint64_t offset, uint64_t target, bool *ret)
{
	sqlite3_reset(flow->detour);
	sqlite3_bind_int64(flow->detour, 1, (sqlite3_int64)offset);
	sqlite3_bind_int64(flow->detour, 2, (sqlite3_int64)target);
	return wv_db_step(flow->db, flow->detour, ret, flow->error);
}

int wv_flow_leaves(struct wv_flow_search *flow, const struct wv_flow_body *body, uint64_t offset,
		   const struct wv_insn *insn, bool *ret)
{
	bool detour = false;
	int failed = 0;

	*ret = insn->control == WR_CONTROL_RETURN;
	if (insn->control == WR_CONTROL_JUMP || insn->control == WR_CONTROL_BRANCH)
		*ret = insn->direct ? !wv_flow_is_inside(body, insn->target)
				    : insn->control == WR_CONTROL_JUMP && !insn->table;
	if (*ret && insn->control == WR_CONTROL_JUMP && insn->direct)
		failed = is_detour(flow, offset, insn->target, &detour);
	*ret &= !detour;
	return failed;
}

/* ---- answering a question about the functions of one name ------------------------------------ */

/*
 * Returns the columns of match-rows.h for the offset ?1. The column "function" is the symbol's name
 * or, if ?2 is true and the code at ?1 was inlined, the name of the inlined function. The query
 * runs once per offset. Its subqueries are scalar, because for a joined subquery SQLite would make
 * a temporary table each time.
 */
static const char row_sql[] =
	"SELECT NULL, NULL, NULL, NULL, coalesce(inline.name, symbol.name), file.name, place.line,"
	" place.\"column\", NULL,"
	" symbol.name, ?1 - symbol.offset, ?1, NULL, NULL, NULL, NULL, 0 FROM symbol"
	" LEFT JOIN place ON " WV_SQL_IS_PLACE("place", "?1")
	" LEFT JOIN file ON file.id = place.file"
	" LEFT JOIN inline ON inline.id = place.inline AND ?2"
	" WHERE symbol.id = (SELECT id FROM symbol WHERE offset <= ?1 AND "
	WV_SQL_IS_NO_ALIAS("flags") " ORDER BY offset DESC LIMIT 1)";

static const char functions_sql[] = "SELECT offset, size, entry FROM symbol WHERE name = ?1 AND "
	WV_SQL_IS_NO_LABEL("flags") " ORDER BY offset";

/* Appends a match to the answer for each offset in flow->found, in ascending order. */
static int answer(const struct wv_question *question, struct wv_flow_search *flow,
		  sqlite3_stmt *row)
{
	bool more;
	int ret = 0;

	wv_offsets_sort_once(&flow->found);
	for (size_t i = 0; i < flow->found.n && !ret; i++) {
		sqlite3_reset(row);
		sqlite3_bind_int64(row, 1, (sqlite3_int64)flow->found.data[i]);
		/*
		 * An exit leaves the function that contains the inlined instance, not the inlined
		 * function.
		 */
		sqlite3_bind_int(row, 2, question->kind->picks != WV_PICKS_EXITS);
		ret = wv_db_step(flow->db, row, &more, flow->error);
		if (!ret && more)
			ret = wv_match_row(question, row);
	}
	return ret;
}

static int find_in_functions(const struct wv_question *question, struct wv_flow_search *flow,
			     wv_flow_find find)
{
	sqlite3_stmt *functions, *row;
	const struct wv_pointcut *pointcut = question->pointcut;
	uint64_t last = UINT64_MAX;
	bool more;
	int ret = wv_db_keep(flow->db, functions_sql, &functions, flow->error);

	if (!ret)
		ret = wv_db_keep(flow->db, row_sql, &row, flow->error);
	if (ret)
		return ret;
	wv_db_bind_text(functions, 1, pointcut->symbol);
	ret = wv_db_step(flow->db, functions, &more, flow->error);
	while (!ret && more) {
		uint64_t start = sqlite3_column_int64(functions, 0);
		struct wv_flow_body body = { .n = 1 };

		body.parts[0] = (struct wv_flow_part){
			.start = start, .end = start + sqlite3_column_int64(functions, 1),
			.entry = start + sqlite3_column_int64(functions, 2),
		};
		flow->found.n = 0;
		if (start != last && (!pointcut->at_start || pointcut->start == start) &&
		    wv_db_image_is(flow->db, start >> WV_IMAGE_OFFSET_BITS, pointcut->module))
			ret = find(flow, pointcut, &body);
		last = start;
		if (!ret)
			ret = answer(question, flow, row);
		if (!ret)
			ret = wv_db_step(flow->db, functions, &more, flow->error);
	}
	return ret;
}

/*
 * Maximum distance in bytes from an offset back to the start of the function that contains it. No
 * function is larger: the kernel's largest one has 13 thousand bytes.
 */
#define LONGEST 262144

/*
 * Selects the symbols whose names begin with ?1. ?2 is the first string after all names that begin
 * with ?1. With both bounds SQLite can read a range of the index instead of all symbols.
 */
static const char cold_sql[] =
	"SELECT offset, size FROM symbol WHERE name >= ?1 AND name < ?2 AND "
	WV_SQL_IS_NO_LABEL("flags") " ORDER BY offset DESC";

static const char detour_sql[] =
	"SELECT 1 FROM owner WHERE offset = ?1 AND kind = ?3"
	" AND NOT EXISTS (SELECT 1 FROM symbol WHERE offset <= ?2"
	" AND offset > ?2 - " WV_SQL(LONGEST) " AND ?2 - offset < size)";

/* Fills flow->cold with the cold parts of function @name: foo.cold, foo.cold.12. */
static int find_cold(struct wv_flow_search *flow, const char *name)
{
	_cleanup_str_ struct wv_str first = { 0 }, after = { 0 };
	sqlite3_stmt *statement;
	bool more = false;
	int ret = wv_db_keep(flow->db, cold_sql, &statement, flow->error);

	wv_str_addf(&first, "%s.cold", name);
	wv_str_addf(&after, "%s.cole", name);
	if (!ret && (first.failed || after.failed))
		ret = wv_no_memory(flow->error);
	if (ret)
		return ret;
	wv_db_bind_text(statement, 1, first.data);
	wv_db_bind_text(statement, 2, after.data);
	ret = wv_db_step(flow->db, statement, &more, flow->error);
	while (!ret && more) {
		const uint64_t start = sqlite3_column_int64(statement, 0);
		struct wv_flow_part *part = wv_vec_push(&flow->cold);

		if (!part)
			return wv_no_memory(flow->error);
		*part = (struct wv_flow_part){
			.start = start, .end = start + sqlite3_column_int64(statement, 1),
			.entry = start };
		ret = wv_db_step(flow->db, statement, &more, flow->error);
	}
	sqlite3_reset(statement);
	sqlite3_clear_bindings(statement);
	return ret;
}

int wv_flow_answer(const struct wv_question *question, wv_flow_find find)
{
	struct wv_flow_search flow = { .db = question->db, .error = question->error };
	int ret = wv_db_keep(flow.db, detour_sql, &flow.detour, flow.error);

	if (!ret)
		ret = find_cold(&flow, question->pointcut->symbol);
	if (!ret) {
		sqlite3_bind_int(flow.detour, 3, WV_OWNER_ALTERNATIVE);
		ret = find_in_functions(question, &flow, find);
	}
	wv_vec_deinit(&flow.cold);
	wv_vec_deinit(&flow.candidates);
	wv_vec_deinit(&flow.found);
	return ret;
}

int wv_explain_part(const struct wv_question *question)
{
	const char *symbol = question->pointcut->symbol;
	int failed = wv_db_explain_symbol(question->db, symbol, question->error);

	if (failed)
		return failed;
	return wv_fail(question->error, WV_E_NO_MATCH, "function '%s' has no %s", symbol,
		       question->kind->word);
}
