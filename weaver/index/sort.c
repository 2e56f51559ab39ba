// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wv_merge_sort(): gives everything an order that does not depend on the order of units, so that
 * equal input gives an equal database. Names are sorted first and numbered in their order. Hundreds
 * of thousands of joinpoints can then be compared by number. An array is sorted by a permutation.
 * Other arrays store positions in this array: the inverse of the permutation translates them to the
 * new positions.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/order.h"
#include "index/merge.h"

static uint32_t *new_numbers(size_t n)
{
	return malloc((n ? n : 1) * sizeof(uint32_t));
}

static int compare_names(const void *left, const void *right, void *context)
{
	const char *const *names = context;

	return strcmp(names[*(const uint32_t *)left], names[*(const uint32_t *)right]);
}

/*
 * Returns the order that @compare gives to n elements, as a list of their old positions: element i
 * of the list is the old position of the element that moves to position i. Returns NULL if out of
 * memory.
 */
static uint32_t *permutation(size_t n, int (*compare)(const void *, const void *, void *),
			     void *context)
{
	uint32_t *order = new_numbers(n);

	if (!order)
		return NULL;
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), compare, context);
	return order;
}

/* Turns a map from new to old positions into one from old to new positions. */
static uint32_t *invert(const uint32_t *order, size_t n)
{
	uint32_t *inverse = new_numbers(n);

	for (size_t i = 0; inverse && i < n; i++)
		inverse[order[i]] = i;
	return inverse;
}

/* Moves the @n elements of @size bytes at *@data into the order @order. */
static int apply(void **data, size_t n, size_t size, const uint32_t *order)
{
	char *moved;

	if (!n)
		return 0;
	moved = malloc(n * size);
	if (!moved)
		return -1;
	for (size_t i = 0; i < n; i++)
		memcpy(moved + i * size, (char *)*data + order[i] * size, size);
	memcpy(*data, moved, n * size);
	free(moved);
	return 0;
}

/*
 * Makes the list of final file names. Several numbers of merge->paths may have the same final name;
 * they become one file.
 */
static int sort_files(struct wv_merge *merge, struct wv_error *error)
{
	size_t n = merge->paths.names.strings.n;
	_cleanup_free_ const char **names = calloc(n + 1, sizeof(*names));
	_cleanup_free_ uint32_t *order = NULL;

	if (!names)
		return wv_no_memory(error);
	for (size_t i = 0; i < n; i++)
		names[i] = wv_paths_name(&merge->paths, i);
	order = permutation(n, compare_names, names);
	if (!order)
		return wv_no_memory(error);
	for (size_t i = 0; i < n; i++)
		if (!wv_vec_push(&merge->file_of))
			return wv_no_memory(error);
	for (size_t i = 0; i < n; i++) {
		const char *name = names[order[i]];

		if (!i || strcmp(name, names[order[i - 1]])) {
			const char **file = wv_vec_push(&merge->files);

			if (!file)
				return wv_no_memory(error);
			*file = name;
		}
		merge->file_of.data[order[i]] = merge->files.n - 1;
	}
	return 0;
}

struct ranking {
	const struct wv_merge *merge;
	/* the rank in alphabetical order of each name; indexed by the name's number */
	const uint32_t *names;
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int compare_fields(const void *left, const void *right, void *context)
{
	const struct ranking *ranking = context;
	const struct wv_field *a = &ranking->merge->fields.data[*(const uint32_t *)left];
	const struct wv_field *b = &ranking->merge->fields.data[*(const uint32_t *)right];
	const uint32_t *rank = ranking->names;
	const uint32_t x[] = { rank[a->structure], rank[a->member], rank[a->path], a->flags };
	const uint32_t y[] = { rank[b->structure], rank[b->member], rank[b->path], b->flags };

	return wv_order_numbers(x, y, COUNT(x));
}

static int compare_functions(const void *left, const void *right, void *context)
{
	const struct ranking *ranking = context;
	const struct wv_source_function *a =
		&ranking->merge->functions.data[*(const uint32_t *)left];
	const struct wv_source_function *b =
		&ranking->merge->functions.data[*(const uint32_t *)right];
	const uint32_t x[] = { ranking->names[a->name], a->flags };
	const uint32_t y[] = { ranking->names[b->name], b->flags };

	return wv_order_numbers(x, y, COUNT(x));
}

/*
 * Fields, functions and files are already positions in sorted arrays, so they compare as numbers.
 */
static int compare_joinpoints(const void *left, const void *right, void *context)
{
	const struct ranking *ranking = context;
	const struct wv_joinpoint *a = &ranking->merge->joinpoints.data[*(const uint32_t *)left];
	const struct wv_joinpoint *b = &ranking->merge->joinpoints.data[*(const uint32_t *)right];
	const uint32_t a_macro = a->macro == WV_NO_MACRO ? WV_NO_MACRO : ranking->names[a->macro];
	const uint32_t b_macro = b->macro == WV_NO_MACRO ? WV_NO_MACRO : ranking->names[b->macro];
	const uint32_t x[] = { a->field, a->file, a->line, a->column, a->kind, a->function, a_macro,
			       a->spelling_file, a->spelling_line, a->spelling_column };
	const uint32_t y[] = { b->field, b->file, b->line, b->column, b->kind, b->function, b_macro,
			       b->spelling_file, b->spelling_line, b->spelling_column };

	return wv_order_numbers(x, y, COUNT(x));
}

static int compare_ranges(const void *left, const void *right)
{
	const struct wv_text_range *a = left, *b = right;

	return wv_order(a->start, b->start) ?: wv_order(a->end, b->end);
}

static int compare_labels(const void *left, const void *right)
{
	const struct wv_label *a = left, *b = right;

	return wv_order(a->joinpoint, b->joinpoint) ?: wv_order(a->address, b->address) ?:
	       wv_order(a->effect, b->effect) ?: wv_order(a->group, b->group);
}

static int compare_fates(const void *left, const void *right)
{
	const struct wv_fate *a = left, *b = right;

	return wv_order(a->joinpoint, b->joinpoint) ?: wv_order(a->group, b->group) ?:
	       wv_order(a->fate, b->fate) ?: wv_order(a->address, b->address);
}

/* Sorts fields and functions and translates the joinpoints to the new positions. */
static int sort_names(struct wv_merge *merge, struct ranking *ranking, struct wv_error *error)
{
	_cleanup_free_ uint32_t *fields = permutation(merge->fields.n, compare_fields, ranking);
	_cleanup_free_ uint32_t *functions =
		permutation(merge->functions.n, compare_functions, ranking);
	_cleanup_free_ uint32_t *field_at = NULL, *function_at = NULL;

	if (!fields || !functions)
		return wv_no_memory(error);
	field_at = invert(fields, merge->fields.n);
	function_at = invert(functions, merge->functions.n);
	if (!field_at || !function_at ||
	    apply((void **)&merge->fields.data, merge->fields.n, sizeof(*merge->fields.data),
		  fields) ||
	    apply((void **)&merge->functions.data, merge->functions.n,
		  sizeof(*merge->functions.data), functions))
		return wv_no_memory(error);
	wv_vec_for_each(joinpoint, &merge->joinpoints) {
		joinpoint->field = field_at[joinpoint->field];
		joinpoint->function = function_at[joinpoint->function];
		joinpoint->file = merge->file_of.data[joinpoint->file];
		if (joinpoint->macro != WV_NO_MACRO)
			joinpoint->spelling_file = merge->file_of.data[joinpoint->spelling_file];
	}
	return 0;
}

static int sort_joinpoints(struct wv_merge *merge, struct ranking *ranking, struct wv_error *error)
{
	_cleanup_free_ uint32_t *order =
		permutation(merge->joinpoints.n, compare_joinpoints, ranking);
	_cleanup_free_ uint32_t *at = NULL;
	size_t n = 0;

	if (!order)
		return wv_no_memory(error);
	at = invert(order, merge->joinpoints.n);
	if (!at || apply((void **)&merge->joinpoints.data, merge->joinpoints.n,
			 sizeof(*merge->joinpoints.data), order))
		return wv_no_memory(error);
	wv_vec_for_each(label, &merge->labels)
		label->joinpoint = at[label->joinpoint];
	/* Translate the servants before the labels are sorted, which invalidates .label. */
	wv_vec_for_each(fate, &merge->fates) {
		fate->joinpoint = at[fate->joinpoint];
		if (fate->label == WV_NO_SERVANT)
			continue;
		fate->servant = merge->labels.data[fate->label].joinpoint;
		fate->address = merge->labels.data[fate->label].address;
	}
	if (merge->fates.n)
		qsort(merge->fates.data, merge->fates.n, sizeof(*merge->fates.data),
		      compare_fates);
	if (merge->labels.n)
		qsort(merge->labels.data, merge->labels.n, sizeof(*merge->labels.data),
		      compare_labels);
	/*
	 * A weak or inline function that was compiled twice and linked once has each label twice.
	 */
	for (size_t i = 0; i < merge->labels.n; i++) {
		const struct wv_label *label = &merge->labels.data[i];

		if (n && label->joinpoint == merge->labels.data[n - 1].joinpoint &&
		    label->address == merge->labels.data[n - 1].address &&
		    label->effect == merge->labels.data[n - 1].effect)
			continue;
		merge->labels.data[n++] = *label;
	}
	merge->labels.n = n;
	return 0;
}

int wv_merge_sort(struct wv_merge *merge, struct wv_error *error)
{
	size_t n = merge->names.strings.n;
	_cleanup_free_ uint32_t *order = NULL, *rank = NULL;
	struct ranking ranking = { .merge = merge };
	int ret;

	/* The hash tables have the old positions, which are no longer valid. */
	wv_hash_deinit(&merge->field_index);
	wv_hash_deinit(&merge->function_index);
	wv_hash_deinit(&merge->joinpoint_index);
	order = permutation(n, compare_names, merge->names.strings.data);
	if (!order)
		return wv_no_memory(error);
	rank = invert(order, n);
	if (!rank)
		return wv_no_memory(error);
	ranking.names = rank;
	if (merge->labelled.n)
		qsort(merge->labelled.data, merge->labelled.n, sizeof(*merge->labelled.data),
		      compare_ranges);
	ret = sort_files(merge, error);
	if (!ret)
		ret = sort_names(merge, &ranking, error);
	if (!ret)
		ret = sort_joinpoints(merge, &ranking, error);
	return ret;
}
