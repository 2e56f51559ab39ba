// SPDX-License-Identifier: GPL-2.0-or-later
/* Evaluates pointcuts by the .find of their kinds, and sorts the matches; see query.h. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/order.h"
#include "base/pool.h"
#include "base/str.h"
#include "database/db.h"
#include "database/pointcut-kinds.h"
#include "database/query.h"
#include "database/within.h"

enum { MODULES_SHOWN = 5 }; /* maximum number of modules' names in a message */

static int compare_locations(const void *left, const void *right)
{
	const struct wv_match *const *a = left, *const *b = right;

	return wv_order((*a)->address, (*b)->address);
}

/*
 * Reads the bytes of the matches' instructions. Does so in the order of their addresses, so that a
 * piece of text with many shadows is read only once.
 */
static int fill_bytes(struct wv_db *db, struct wv_matches *matches, struct wv_error *error)
{
	size_t n = matches->list.n;
	_cleanup_free_ struct wv_match **sorted = calloc(n + 1, sizeof(*sorted));

	if (!sorted)
		return wv_no_memory(error);
	for (size_t i = 0; i < n; i++)
		sorted[i] = &matches->list.data[i];
	qsort(sorted, n, sizeof(*sorted), compare_locations);
	for (size_t i = 0; i < n; i++) {
		struct wv_match *match = sorted[i];

		if (match->precision != WEFT_PRECISION_OPTIMIZED_OUT)
			match->nr_bytes = wv_db_text_bytes(db, match->address, match->bytes,
							   sizeof(match->bytes));
	}
	return 0;
}

static int compare(const void *left, const void *right)
{
	const struct wv_match *a = left, *b = right;

	/*
	 * Order joinpoints at one location by function, member and kind, so that the order is
	 * always the same.
	 */
	return wv_order_texts(a->file, b->file) ?: wv_order(a->line, b->line) ?:
	       wv_order(a->column, b->column) ?: wv_order_texts(a->module, b->module) ?:
	       wv_order(a->address, b->address) ?: wv_order_texts(a->function, b->function) ?:
	       wv_order_texts(a->structure, b->structure) ?: wv_order_texts(a->path, b->path) ?:
	       wv_order_texts(a->kind, b->kind) ?: wv_order(a->joinpoint, b->joinpoint);
}

/*
 * Compares matches by address, for kinds with .by_address: readers expect the instructions of a
 * function in the order of addresses.
 */
static int compare_addresses(const void *left, const void *right)
{
	const struct wv_match *a = left, *b = right;

	return wv_order_texts(a->module, b->module) ?: wv_order(a->address, b->address);
}

/*
 * Removes repetitions of matches, which @matches has one after another, since it is sorted by
 * @order. A joinpoint is found twice if it matches two names, as when a pattern matches two names
 * of one member or function.
 */
static void drop_duplicates(struct wv_matches *matches, int (*order)(const void *, const void *))
{
	size_t kept = 0;

	for (size_t i = 0; i < matches->list.n; i++) {
		const struct wv_match *match = &matches->list.data[i];

		if (!kept || order(match, &matches->list.data[kept - 1]))
			matches->list.data[kept++] = *match;
	}
	matches->list.n = kept;
}

/*
 * Explains why a pointcut finds nothing in the module that it names. Returns -WV_E_NO_MATCH, or 0
 * if the module is not the reason.
 */
static int explain_module(const struct wv_question *question)
{
	struct wv_pointcut elsewhere = *question->pointcut;
	struct wv_matches matches;
	_cleanup_str_ struct wv_str where = { 0 };
	const char *shown[MODULES_SHOWN];
	size_t n = 0;
	bool more = false;
	int failed = wv_db_explain_module(question->db, elsewhere.module, question->error);

	if (failed)
		return failed;
	elsewhere.module = NULL;
	failed = wv_db_query(question->db, &elsewhere, &matches, question->error);
	if (failed)
		return failed;
	wv_vec_for_each(match, &matches.list) {
		const char *module = match->module ? match->module : WV_VMLINUX;
		size_t i = 0;

		while (i < n && strcmp(shown[i], module))
			i++;
		more |= i == MODULES_SHOWN;
		if (i < n || n == MODULES_SHOWN)
			continue;
		wv_str_addf(&where, "%s%s", n ? ", " : "", module);
		shown[n++] = module;
	}
	wv_matches_deinit(&matches);
	if (!n)
		return 0;
	return wv_fail(question->error, WV_E_NO_MATCH, "nothing of this is in '%s'; it is in %s%s",
		       question->pointcut->module, wv_str_text(&where),
		       more ? ", ..." : "");
}

int wv_db_query_each(struct wv_db *db, const struct wv_pointcut *pointcuts, size_t n,
		     struct wv_matches *ret, struct wv_error *error)
{
	const struct wv_pointcut_kind *kind = wv_pointcut_kind(pointcuts->type);
	struct wv_question question = { .db = db, .kind = kind, .ret = ret, .error = error };
	int (*order)(const void *, const void *) = kind->by_address ? compare_addresses : compare;
	int failed = 0;

	memset(ret, 0, sizeof(*ret));
	ret->strings = calloc(1, sizeof(struct wv_pool));
	if (!ret->strings)
		return wv_no_memory(error);
	for (size_t i = 0; !failed && i < n; i++) {
		question.pointcut = &pointcuts[i];
		failed = kind->find(&question);
	}
	if (!failed)
		failed = fill_bytes(db, ret, error);
	if (!failed && !ret->list.n && n == 1 && pointcuts->module)
		failed = explain_module(&question);
	if (!failed && !ret->list.n && n == 1)
		failed = kind->explain(&question);
	if (failed)
		wv_matches_deinit(ret);
	else if (ret->list.n)
		qsort(ret->list.data, ret->list.n, sizeof(*ret->list.data), order);
	if (!failed && n > 1)
		drop_duplicates(ret, order);
	return failed;
}

int wv_db_query(struct wv_db *db, const struct wv_pointcut *pointcut, struct wv_matches *ret,
		struct wv_error *error)
{
	return wv_db_query_each(db, pointcut, 1, ret, error);
}
