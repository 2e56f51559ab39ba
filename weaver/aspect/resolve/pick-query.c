// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Evaluates pointcut expressions on a database; see pick-query.h. A part of the tree that picks
 * makes a list of joinpoints. A part that filters marks those entries of such a list that it
 * accepts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/resolve/pick-query.h"
#include "database/db.h"
#include "database/wildcard.h"

typedef WV_VEC(struct wv_picked) list;

struct query {
	const struct wv_aspect *aspect;
	struct wv_db *db;
	/* the result; its .matches and .pointcuts have the objects to which the lists point */
	struct wv_picks *picks;
	/* for each pointcut of the aspect: the joinpoints that it picks; valid if .is_known */
	list *known;
	bool *is_known;
	const struct wv_pick *elsewhere; /* the first part that is for other kernels; NULL: none */
	struct wv_errors *errors;
	struct wv_error *error;
};

static int no_memory(struct query *query)
{
	return wv_fail(query->error, WV_E_NO_MEMORY, "out of memory");
}

/*
 * If @failed is -WV_E_NO_MATCH, moves the error to .errors with @location and returns 0, so that
 * the query goes on and finds all wrong names. Else returns @failed.
 */
static int note(struct query *query, struct wv_text_location location, int failed)
{
	struct wv_error plain = *query->error, *slot;

	if (failed != -WV_E_NO_MATCH)
		return failed;
	slot = wv_vec_push(&query->errors->list);
	if (!slot)
		return no_memory(query);
	wv_fail_at(slot, plain.code, query->aspect->path, location.line, location.column, "%s",
		   plain.message);
	return 0;
}

/* ---- comparing lists by shadow --------------------------------------------------------------- */

/* The key by which an <and> compares joinpoints. */
struct key {
	bool optimized_out;
	/* link address of the shadow; if optimized out, the joinpoint's number in the database */
	uint64_t number;
};

static struct key key_of(const struct wv_match *match)
{
	bool optimized_out = match->precision >= WEFT_PRECISION_OPTIMIZED_OUT;

	return (struct key){ optimized_out, optimized_out ? match->joinpoint : match->address };
}

static int compare_keys(const void *left, const void *right)
{
	const struct key *a = left, *b = right;

	if (a->optimized_out != b->optimized_out)
		return a->optimized_out - b->optimized_out;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* Marks the entries of @all that have the same key as an entry of @other. */
static int mark_common(struct query *query, const list *all, const list *other, bool *marks)
{
	struct key *keys = calloc(other->n + 1, sizeof(*keys));

	if (!keys)
		return no_memory(query);
	for (size_t i = 0; i < other->n; i++)
		keys[i] = key_of(other->data[i].match);
	qsort(keys, other->n, sizeof(*keys), compare_keys);
	for (size_t i = 0; i < all->n; i++) {
		struct key wanted = key_of(all->data[i].match);

		marks[i] = bsearch(&wanted, keys, other->n, sizeof(*keys), compare_keys);
	}
	free(keys);
	return 0;
}

/*
 * Returns 0 if @left and @right are the same joinpoint at the same shadow. The same joinpoint may
 * have been picked twice, for example by its name and by a pattern, or by two parts of an <or>.
 */
static int compare_same(const void *left, const void *right)
{
	const struct wv_match *a = ((const struct wv_picked *)left)->match;
	const struct wv_match *b = ((const struct wv_picked *)right)->match;
	struct key key_a = key_of(a), key_b = key_of(b);
	int order = compare_keys(&key_a, &key_b);

	if (!order && a->joinpoint != b->joinpoint)
		order = a->joinpoint < b->joinpoint ? -1 : 1;
	return order ? order : strcmp(a->kind, b->kind);
}

static void sort_once(list *all)
{
	size_t kept = 0;

	if (!all->n)
		return;
	qsort(all->data, all->n, sizeof(*all->data), compare_same);
	for (size_t i = 0; i < all->n; i++)
		if (!kept || compare_same(&all->data[kept - 1], &all->data[i]))
			all->data[kept++] = all->data[i];
	all->n = kept;
}

/* Sets *@ret to whether @pick is for the database's kernel. */
static int is_for_kernel(struct query *query, const struct wv_pick *pick, bool *ret)
{
	wv_linux_version version = wv_db_linux_version(query->db);

	*ret = !pick->kernels.last || wv_linux_in(version, &pick->kernels);
	if (pick->kernels.last && !version)
		return wv_fail_at(query->error, WV_E_FORMAT, query->aspect->path,
				  pick->location.line, pick->location.column,
				  "this is for some kernels only, and the database does not say "
				  "which Linux it is of; run `weft index` again");
	if (!*ret && !query->elsewhere)
		query->elsewhere = pick;
	return 0;
}

/* ---- evaluating parts that pick -------------------------------------------------------------- */

static int pick_list(struct query *query, const struct wv_pick *pick, list *ret);

/* Queries the database for one pointcut, and appends the matches to @ret. */
static int ask(struct query *query, const struct wv_pointcut *pointcut, list *ret)
{
	struct wv_pointcut **kept = wv_vec_push(&query->picks->pointcuts);
	struct wv_matches *matches;
	int failed;

	if (!kept)
		return no_memory(query);
	*kept = calloc(1, sizeof(**kept));
	if (!*kept || wv_pointcut_copy(pointcut, *kept))
		return no_memory(query);
	matches = wv_vec_push(&query->picks->matches);
	if (!matches)
		return no_memory(query);
	failed = wv_db_query(query->db, *kept, matches, query->error);
	for (size_t i = 0; !failed && i < matches->list.n; i++) {
		struct wv_picked *picked = wv_vec_push(ret);

		if (!picked)
			return no_memory(query);
		*picked = (struct wv_picked){ &matches->list.data[i], *kept };
	}
	return failed;
}

/*
 * Queries the database for each name that matches @pattern. A name that matches but has no
 * joinpoints, as a function without calls has none, is skipped and is no error.
 */
static int ask_all(struct query *query, const struct wv_pointcut *pattern, list *ret)
{
	struct wv_pointcuts meant = { 0 };
	int failed = wv_db_spell_out(query->db, pattern, &meant, query->error);

	for (size_t i = 0; !failed && i < meant.n; i++) {
		failed = ask(query, &meant.data[i], ret);
		if (failed == -WV_E_NO_MATCH)
			failed = 0;
	}
	wv_pointcuts_deinit(&meant);
	sort_once(ret);
	return failed;
}

static int append(struct query *query, const list *all, list *ret)
{
	for (size_t i = 0; i < all->n; i++) {
		struct wv_picked *picked = wv_vec_push(ret);

		if (!picked)
			return no_memory(query);
		*picked = all->data[i];
	}
	return 0;
}

static int pick_any(struct query *query, const struct wv_pick *pick, list *ret)
{
	int failed = 0;

	wv_vec_for_each(part, &pick->parts) {
		if (!failed)
			failed = pick_list(query, *part, ret);
	}
	sort_once(ret);
	return failed;
}

/* ---- evaluating parts that filter ------------------------------------------------------------ */

static int mark(struct query *query, const struct wv_pick *pick, const list *all, bool *marks);

static int mark_within(struct query *query, const struct wv_pick *pick, const list *all,
		       bool *marks)
{
	bool any = false;
	int failed = 0;

	for (size_t i = 0; i < all->n; i++) {
		marks[i] = wv_match_is_within(all->data[i].match, &pick->within);
		any |= marks[i];
	}
	/*
	 * The <within> accepts nothing. Its function, file or module may not exist: check each of
	 * them.
	 */
	for (enum wv_within_part part = 0; !any && !failed && part < WV_WITHIN_PARTS; part++)
		failed = note(query, pick->within_locations[part],
			      wv_db_explain_within(query->db, &pick->within, part, query->error));
	return failed;
}

static int mark_parts(struct query *query, const struct wv_pick *pick, const list *all, bool *marks)
{
	bool *part_marks = calloc(all->n + 1, sizeof(*part_marks));
	int failed = part_marks ? 0 : no_memory(query);

	for (size_t i = 0; i < all->n; i++)
		marks[i] = pick->type == WV_PICK_AND;
	wv_vec_for_each(part, &pick->parts) {
		if (!failed)
			failed = mark(query, *part, all, part_marks);
		for (size_t i = 0; !failed && i < all->n; i++)
			marks[i] = pick->type == WV_PICK_AND ? marks[i] && part_marks[i] :
							       marks[i] || part_marks[i];
	}
	free(part_marks);
	return failed;
}

/* Marks the entries of @all that @pick accepts. */
static int mark(struct query *query, const struct wv_pick *pick, const list *all, bool *marks)
{
	list other = { 0 };
	bool here;
	int failed = is_for_kernel(query, pick, &here);

	if (failed || !here) {
		memset(marks, 0, all->n * sizeof(*marks));
		return failed;
	}
	switch (pick->type) {
	case WV_PICK_WITHIN:
		return mark_within(query, pick, all, marks);
	case WV_PICK_AND:
	case WV_PICK_OR:
		return mark_parts(query, pick, all, marks);
	case WV_PICK_NOT:
		failed = mark(query, pick->parts.data[0], all, marks);
		for (size_t i = 0; i < all->n; i++)
			marks[i] = !marks[i];
		return failed;
	case WV_PICK_POINTCUT:
	case WV_PICK_REF:
		break;
	}
	failed = pick_list(query, pick, &other);
	if (!failed)
		failed = mark_common(query, all, &other, marks);
	wv_vec_deinit(&other);
	return failed;
}

/*
 * Evaluates an <and>. The first part that picks joinpoints makes the list. Every other part, even
 * one that could pick, only removes entries from the list. So the joinpoints have the names by
 * which the first part picked them.
 */
static int pick_all(struct query *query, const struct wv_pick *pick, list *ret)
{
	const struct wv_pick *first = NULL;
	bool *marks;
	size_t kept = 0;
	int failed = 0;
	list all = { 0 };

	wv_vec_for_each(part, &pick->parts)
		if (!first && wv_pick_picks(*part))
			first = *part;
	failed = pick_list(query, first, &all);
	wv_vec_for_each(part, &pick->parts) {
		if (failed || *part == first)
			continue;
		marks = calloc(all.n + 1, sizeof(*marks));
		failed = marks ? mark(query, *part, &all, marks) : no_memory(query);
		kept = 0;
		for (size_t i = 0; !failed && i < all.n; i++)
			if (marks[i])
				all.data[kept++] = all.data[i];
		if (!failed) {
			query->picks->filtered += all.n - kept;
			all.n = kept;
		}
		free(marks);
	}
	if (!failed)
		failed = append(query, &all, ret);
	wv_vec_deinit(&all);
	return failed;
}

/*
 * Appends the joinpoints that the aspect's pointcut @index picks. Each pointcut is evaluated only
 * once, even if several <ref>s name it.
 */
static int pick_ref(struct query *query, size_t index, list *ret)
{
	list *known = &query->known[index];
	int failed = 0;

	if (!query->is_known[index])
		failed = pick_list(query, query->aspect->pointcuts.data[index].pick, known);
	query->is_known[index] = true;
	return failed ? failed : append(query, known, ret);
}

/*
 * Reports a pointcut that picks nothing, because query->elsewhere, a part of the pointcut, is for
 * other kernels.
 */
static int report_elsewhere(struct query *query)
{
	const struct wv_pick *pick = query->elsewhere;
	const wv_linux_version last = pick->kernels.last, first = pick->kernels.first;
	char wanted[64];

	snprintf(wanted, sizeof(wanted), "%s%s%s",
		 first > 1 ? wv_linux_version_text(first).text : "",
		 first == last ? "" : "..",
		 last == UINT32_MAX || first == last ? "" : wv_linux_version_text(last).text);
	return note(query, pick->location,
		    wv_fail(query->error, WV_E_NO_MATCH,
			    "this is for Linux %s, and the pointcut picks no joinpoint of Linux "
			    "%s, which the database is of",
			    wanted, wv_linux_version_text(wv_db_linux_version(query->db)).text));
}

/* Appends to @ret the joinpoints that @pick picks. */
static int pick_list(struct query *query, const struct wv_pick *pick, list *ret)
{
	const struct wv_pointcut *pointcut = &pick->pointcut;
	bool here;
	int failed = is_for_kernel(query, pick, &here);

	if (failed || !here)
		return failed;

	switch (pick->type) {
	case WV_PICK_POINTCUT:
		return note(query, pick->location,
			    wv_pointcut_is_pattern(pointcut) ? ask_all(query, pointcut, ret) :
							       ask(query, pointcut, ret));
	case WV_PICK_REF:
		return pick_ref(query, pick->index, ret);
	case WV_PICK_AND:
		return pick_all(query, pick, ret);
	case WV_PICK_OR:
		return pick_any(query, pick, ret);
	case WV_PICK_WITHIN:
	case WV_PICK_NOT:
		break;
	}
	return 0;
}

int wv_pick_query(const struct wv_aspect *aspect, size_t index, struct wv_db *db,
		  struct wv_picks *ret, struct wv_errors *errors, struct wv_error *error)
{
	struct query query = { .aspect = aspect, .db = db, .picks = ret, .errors = errors,
			       .error = error };
	size_t before = errors->list.n, n = aspect->pointcuts.n;
	list all = { 0 };
	int failed;

	memset(ret, 0, sizeof(*ret));
	query.known = calloc(n, sizeof(*query.known));
	query.is_known = calloc(n, sizeof(*query.is_known));
	failed = query.known && query.is_known ?
			 pick_list(&query, aspect->pointcuts.data[index].pick, &all) :
			 no_memory(&query);
	if (!failed && !all.n && query.elsewhere && errors->list.n == before)
		failed = report_elsewhere(&query);
	for (size_t i = 0; query.known && i < n; i++)
		wv_vec_deinit(&query.known[i]);
	free(query.known);
	free(query.is_known);
	if (!failed && errors->list.n > before) {
		*error = errors->list.data[before];
		failed = -(int)error->code;
	}
	ret->list.data = all.data;
	ret->list.n = all.n;
	ret->list.size = all.size;
	if (failed)
		wv_picks_deinit(ret);
	return failed;
}

/* ---- returning the list as plain matches ----------------------------------------------------- */

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_locations(const void *left, const void *right)
{
	const struct wv_match *a = left, *b = right;
	int order = compare_text(a->file, b->file);

	if (!order && a->line != b->line)
		order = a->line < b->line ? -1 : 1;
	if (!order && a->column != b->column)
		order = a->column < b->column ? -1 : 1;
	if (!order && a->address != b->address)
		order = a->address < b->address ? -1 : 1;
	return order ? order : compare_text(a->kind, b->kind);
}

int wv_picks_matches(const struct wv_picks *picks, struct wv_matches *ret, struct wv_error *error)
{
	memset(ret, 0, sizeof(*ret));
	wv_vec_for_each(picked, &picks->list) {
		struct wv_match *match = wv_vec_push(&ret->list);

		if (!match) {
			wv_matches_deinit(ret);
			return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
		}
		*match = *picked->match;
	}
	/* The result of a single query is sorted already. */
	if (picks->matches.n > 1 && ret->list.n)
		qsort(ret->list.data, ret->list.n, sizeof(*ret->list.data), compare_locations);
	return 0;
}

void wv_picks_deinit(struct wv_picks *picks)
{
	wv_vec_for_each(matches, &picks->matches)
		wv_matches_deinit(matches);
	wv_vec_for_each(pointcut, &picks->pointcuts) {
		if (*pointcut)
			wv_pointcut_deinit(*pointcut);
		free(*pointcut);
	}
	wv_vec_deinit(&picks->matches);
	wv_vec_deinit(&picks->pointcuts);
	wv_vec_deinit(&picks->list);
}
