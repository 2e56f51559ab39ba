// SPDX-License-Identifier: GPL-2.0-or-later
/* Moves labels and fates from objects to the image; see proven-labels.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "index/proven-labels.h"

void wv_proof_result_deinit(struct wv_proof_result *result)
{
	wv_pool_deinit(&result->texts);
	wv_vec_deinit(&result->not_proven);
}

static int note(struct wv_proof_result *result, const char *unit, const struct wv_proof *proof,
		const struct wv_proven *proven, struct wv_error *error)
{
	struct wv_not_proven *slot = wv_vec_push(&result->not_proven);

	if (!slot)
		return wv_no_memory(error);
	slot->unit = wv_pool_add(&result->texts, unit);
	slot->function = wv_pool_add(&result->texts, proven->name);
	slot->why = wv_pool_add(&result->texts, wv_pool_get(&proof->texts, proven->why));
	return slot->unit == WV_POOL_FAILED || slot->function == WV_POOL_FAILED ||
			       slot->why == WV_POOL_FAILED ?
		       wv_no_memory(error) : 0;
}

static int add_function(struct wv_merge *merge, const char *unit, const struct wv_proof *proof,
			const struct wv_proven *proven, struct wv_proof_result *result,
			struct wv_error *error)
{
	struct wv_text_range *range;

	result->functions++;
	result->bytes += proven->size;
	result->kinds[proven->kind]++;
	if (proven->kind != WV_SAME)
		return note(result, unit, proof, proven, error);
	result->identical++;
	result->identical_bytes += proven->size;
	range = wv_vec_push(&merge->labelled);
	if (!range)
		return wv_no_memory(error);
	*range = (struct wv_text_range){ proven->address, proven->address + proven->size };
	return 0;
}

/*
 * Changes the addresses of the proven labels to those in the image, and drops all other labels.
 * @moved is indexed by a label's old index. It gets the label's new index, or WV_NO_SERVANT if the
 * label was dropped.
 */
static void move_labels(const struct wv_proof *proof, struct wv_unit *unit, uint32_t *moved)
{
	size_t kept = 0;

	for (size_t i = 0; i < unit->labels.n; i++) {
		struct wv_unit_label label = unit->labels.data[i];
		const struct wv_proven *proven = wv_proof_at(proof, label.address);

		moved[i] = WV_NO_SERVANT;
		if (!proven || proven->kind != WV_SAME)
			continue;
		label.address += proven->address - proven->start;
		moved[i] = kept;
		unit->labels.data[kept++] = label;
	}
	unit->labels.n = kept;
}

static int compare_names(const void *left, const void *right)
{
	const struct wv_proven *const *a = left, *const *b = right;

	return strcmp((*a)->name, (*b)->name);
}

/*
 * Finds the object's function @name in @by_name, which is sorted. If several functions have the
 * name, returns any of them.
 */
static const struct wv_proven *find(const struct wv_proven **by_name, size_t n, const char *name)
{
	struct wv_proven key = { .name = name };
	const struct wv_proven *wanted = &key, **found;

	found = n ? bsearch(&wanted, by_name, n, sizeof(wanted), compare_names) : NULL;
	return found ? *found : NULL;
}

/* Returns whether each function of the object is in the image as it is, or not at all. */
static bool nothing_differs(const struct wv_proof *proof)
{
	wv_vec_for_each(proven, &proof->functions)
		if (proven->kind != WV_SAME && proven->kind != WV_DIFFERENT_PLACE)
			return false;
	return true;
}

/*
 * Returns whether the function and its part in .text.unlikely, if it has one, are in the image as
 * they are. A function that was inlined or dropped has no code of its own in the object. Its fates
 * are about code that could be in any function of the object. So for such a function returns @all:
 * whether nothing in the object differs from the image.
 */
static bool is_proven(const struct wv_proven **by_name, size_t n, const char *name, bool all)
{
	const struct wv_proven *hot = find(by_name, n, name), *cold;
	_cleanup_free_ char *cold_name = NULL;

	if (!hot)
		return all;
	if (hot->kind != WV_SAME || asprintf(&cold_name, "%s.cold", name) < 0)
		return false;
	cold = find(by_name, n, cold_name);
	return !cold || cold->kind == WV_SAME;
}

/*
 * Drops the fates in functions that are not proven, and the fates whose servant's label was
 * dropped.
 */
static int keep_fates(const struct wv_proof *proof, struct wv_unit *unit, const uint32_t *moved,
		      struct wv_error *error)
{
	size_t n = proof->functions.n, kept = 0;
	_cleanup_free_ const struct wv_proven **by_name = calloc(n + 1, sizeof(*by_name));
	const bool all = nothing_differs(proof);
	uint32_t function = UINT32_MAX;
	bool proven = false;

	if (!by_name)
		return wv_no_memory(error);
	for (size_t i = 0; i < n; i++)
		by_name[i] = &proof->functions.data[i];
	qsort(by_name, n, sizeof(*by_name), compare_names);
	for (size_t i = 0; i < unit->fates.n; i++) {
		struct wv_unit_fate fate = unit->fates.data[i];

		/* The fates of a function are adjacent in the list. */
		if (fate.function != function) {
			uint32_t name = unit->functions.data[fate.function].name;

			function = fate.function;
			proven = is_proven(by_name, n, unit->strings.data[name], all);
		}
		if (fate.servant != WV_NO_SERVANT)
			fate.servant = moved[fate.servant];
		if (proven && (fate.servant != WV_NO_SERVANT ||
			       unit->fates.data[i].servant == WV_NO_SERVANT))
			unit->fates.data[kept++] = fate;
	}
	unit->fates.n = kept;
	return 0;
}

int wv_proven_labels(struct wv_merge *merge, const struct wv_shipped *shipped,
		     struct wv_image *object, struct wv_unit *unit, const char *main,
		     struct wv_proof_result *result, struct wv_error *error)
{
	_cleanup_free_ uint32_t *moved = calloc(unit->labels.n + 1, sizeof(*moved));
	_cleanup_(wv_proof_deinit) struct wv_proof proof = { 0 };
	int ret = moved ? wv_prove(&proof, shipped, object, main, error) : wv_no_memory(error);

	if (ret)
		return ret;
	result->units++;
	wv_vec_for_each(proven, &proof.functions)
		if (!ret)
			ret = add_function(merge, main, &proof, proven, result, error);
	result->labels += unit->labels.n;
	move_labels(&proof, unit, moved);
	result->proven_labels += unit->labels.n;
	return ret ?: keep_fates(&proof, unit, moved, error);
}
