// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the shadows that a command line names; see find-shadows.h. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/resolve/values-find.h"
#include "aspect/resolve/values.h"
#include "base/cleanup.h"
#include "base/order.h"
#include "cmds/aspect-errors.h"
#include "cmds/cmd.h"
#include "cmds/defaults.h"
#include "cmds/find-shadows.h"
#include "cmds/incomplete.h"
#include "module/aspect-programs.h"
#include "database/pointcut-parse.h"
#include "database/wildcard.h"
#include "database/within.h"
#include "module/kernel-folders.h"

static int compare(const void *left, const void *right)
{
	const struct wv_match *const *a = left, *const *b = right;

	return wv_order_texts((*a)->module, (*b)->module) ?:
	       wv_order((*a)->address, (*b)->address);
}

static int add(struct wv_shadow_list *list, const struct wv_match *match, enum weft_refusal refusal,
	       struct wv_error *error)
{
	const struct wv_match **slot;
	enum weft_refusal *refusal_slot;

	if (match->precision == WEFT_PRECISION_OPTIMIZED_OUT) {
		list->optimized_out++;
		return 0;
	}
	slot = wv_vec_push(&list->list);
	refusal_slot = wv_vec_push(&list->refusals);
	if (!slot || !refusal_slot)
		return wv_no_memory(error);
	*slot = match;
	*refusal_slot = refusal;
	return 0;
}

/*
 * Sorts the list by address. If several joinpoints have the same shadow, keeps the shadow only
 * once, because it gets one splice.
 */
static void sort_once(struct wv_shadow_list *list)
{
	size_t n = 0;

	if (!list->list.n)
		return;
	qsort(list->list.data, list->list.n, sizeof(*list->list.data), compare);
	for (size_t i = 0; i < list->list.n; i++)
		if (!n || list->list.data[n - 1]->address != list->list.data[i]->address)
			list->list.data[n++] = list->list.data[i];
	list->list.n = n;
}

static int find_pointcut(struct wv_db *db, const char *what, uint32_t kinds, const char *within,
			 struct wv_str *json, struct wv_shadow_list *ret, struct wv_error *error)
{
	struct wv_pointcut pointcut;
	struct wv_asked asked = { .pointcut = &pointcut, .within = within };
	int failed = wv_pointcut_parse(what, kinds, &pointcut, error);

	if (failed)
		return failed;
	failed = wv_warn_incomplete(db, &asked, NULL, json, error);
	if (!failed)
		failed = wv_db_query_like(db, &pointcut, &ret->matches, error);
	wv_pointcut_deinit(&pointcut);
	if (!failed && within)
		failed = wv_matches_within(&ret->matches, within, error);
	wv_vec_for_each(match, &ret->matches.list)
		if (!failed)
			failed = add(ret, match, WEFT_REFUSAL_NONE, error);
	if (!failed)
		sort_once(ret);
	return failed;
}

static bool is_same(const struct wv_selected *left, const struct wv_selected *right)
{
	return left->program == right->program && left->offset == right->offset &&
	       left->advice == right->advice && left->when == right->when;
}

/*
 * Fills list->dropped: true for the shadows that wv_values_find() has removed from list->selection.
 * @before has the @n joinpoints that the selection had before. As the joinpoints that are left have
 * the same order, one pass over both lists finds those that were removed.
 */
static int mark_dropped(struct wv_shadow_list *list, const struct wv_selected *before, size_t n,
			struct wv_error *error)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		bool *slot;

		if (before[i].match->precision == WEFT_PRECISION_OPTIMIZED_OUT)
			continue;
		if (before[i].program) {
			left += left < list->selection.list.n &&
				is_same(&before[i], &list->selection.list.data[left]);
			continue;
		}
		slot = wv_vec_push(&list->dropped);
		if (!slot)
			return wv_no_memory(error);
		*slot = left >= list->selection.list.n ||
			!is_same(&before[i], &list->selection.list.data[left]);
		left += !*slot;
	}
	return 0;
}

/*
 * Finds the shadows at which optional advice lacks a variable, and sets their .dropped to true. If
 * the kernel's vmlinux is not there, variables cannot be looked up, and no shadow is dropped.
 */
static int drop(struct wv_db *db, struct wv_shadow_list *list, struct wv_error *error)
{
	_cleanup_free_ struct wv_selected *before = NULL;
	struct wv_kernel_files files;
	struct wv_errors errors = { 0 };
	struct wv_values values = { 0 };
	const char *kernel = wv_default_kernel();
	size_t n = list->selection.list.n;
	int failed;

	if (!wv_values_wanted(list->aspect) || !kernel)
		return 0;
	before = malloc(n * sizeof(*before) + 1);
	if (!before)
		return wv_no_memory(error);
	failed = wv_kernel_files_find(kernel, NULL, &list->selection.parts, &files, error);
	if (failed)
		return failed;
	if (access(files.vmlinux, R_OK)) {
		wv_kernel_files_deinit(&files);
		return 0;
	}
	memcpy(before, list->selection.list.data, n * sizeof(*before));
	failed = wv_values_find(&values, list->aspect, &list->selection, db, &files, &errors,
				error);
	wv_kernel_files_deinit(&files);
	wv_values_deinit(&values);
	wv_print_errors(&errors);
	return failed ? failed : mark_dropped(list, before, n, error);
}

/* Fills list->uprobes with the shadows in programs that drop() has left in list->selection. */
static int add_uprobes(struct wv_shadow_list *list, struct wv_error *error)
{
	wv_vec_for_each(selected, &list->selection.list) {
		const struct wv_selected **slot;

		if (!selected->program ||
		    selected->match->precision == WEFT_PRECISION_OPTIMIZED_OUT)
			continue;
		slot = wv_vec_push(&list->uprobes);
		if (!slot)
			return wv_no_memory(error);
		*slot = selected;
	}
	return 0;
}

static int find_aspect(struct wv_db *db, const char *path, struct wv_str *json,
		       struct wv_shadow_list *ret, struct wv_error *error)
{
	struct wv_errors errors = { 0 };
	int failed = wv_aspect_open(path, &ret->aspect, error);

	if (!failed)
		failed = wv_aspect_programs_open(ret->aspect, &ret->programs, error);
	ret->selection.programs = &ret->programs;

	if (!failed)
		failed = wv_warn_incomplete(db, &(struct wv_asked){ .aspect = ret->aspect }, NULL,
					    json, error);
	if (failed)
		return failed;
	failed = wv_selection_query(&ret->selection, ret->aspect, db, &errors, error);
	wv_print_errors(&errors);
	wv_vec_for_each(selected, &ret->selection.list)
		if (!failed && !selected->program)
			failed = add(ret, selected->match, selected->refusal, error);
	if (!failed)
		failed = drop(db, ret, error);
	if (!failed)
		failed = add_uprobes(ret, error);
	ret->optimized_out += ret->selection.optimized_out.n;
	return failed;
}

int wv_shadow_list_find(struct wv_db *db, const char *what, uint32_t kinds, const char *within,
			struct wv_str *json, struct wv_shadow_list *ret, struct wv_error *error)
{
	int failed;

	*ret = (struct wv_shadow_list){ 0 };
	failed = wv_is_aspect_file(what) ?
			 find_aspect(db, what, json, ret, error) :
			 find_pointcut(db, what, kinds, within, json, ret, error);
	if (!failed && !ret->list.n && !ret->uprobes.n)
		failed = wv_fail(error, WV_E_NO_MATCH,
				 "'%s' has no shadow in the kernel's text: %zu optimized out", what,
				 ret->optimized_out);
	if (failed)
		wv_shadow_list_deinit(ret);
	return failed;
}

void wv_shadow_list_deinit(struct wv_shadow_list *list)
{
	wv_vec_deinit(&list->list);
	wv_vec_deinit(&list->refusals);
	wv_vec_deinit(&list->dropped);
	wv_vec_deinit(&list->uprobes);
	wv_selection_deinit(&list->selection);
	wv_programs_deinit(&list->programs);
	wv_aspect_destroy(list->aspect);
	wv_matches_deinit(&list->matches);
	*list = (struct wv_shadow_list){ 0 };
}
