// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Merges units; see merge.h. In each unit the strings, files, fields and functions are numbered
 * anew. Each number is translated to a merged number only once. After that an access consists of
 * ten numbers, and merging it costs one hash of them, for millions of accesses.
 */
#include <stdlib.h>
#include <string.h>

#include "index/merge.h"

#define UNKNOWN UINT32_MAX

/*
 * Maps a unit's numbers to merged numbers. An array is indexed by the position in the unit's list.
 * An element is the merged number, or UNKNOWN if the unit's number is not translated yet. Each
 * array is a slice of merge->scratch.
 */
struct translation {
	uint32_t *names, *files, *fields, *functions, *accesses;
};

void wv_merge_deinit(struct wv_merge *merge)
{
	wv_pool_deinit(&merge->names);
	wv_paths_deinit(&merge->paths);
	wv_vec_deinit(&merge->fields);
	wv_vec_deinit(&merge->functions);
	wv_vec_deinit(&merge->joinpoints);
	wv_vec_deinit(&merge->labels);
	wv_vec_deinit(&merge->fates);
	wv_vec_deinit(&merge->labelled);
	wv_vec_deinit(&merge->scratch);
	wv_vec_deinit(&merge->files);
	wv_vec_deinit(&merge->file_of);
	wv_hash_deinit(&merge->field_index);
	wv_hash_deinit(&merge->function_index);
	wv_hash_deinit(&merge->joinpoint_index);
	wv_pool_deinit(&merge->units);
	wv_vec_deinit(&merge->unit_is_known);
}

static bool equal_field(const void *array, uint32_t position, const void *key)
{
	return !memcmp((const struct wv_field *)array + position, key, sizeof(struct wv_field));
}

static bool equal_function(const void *array, uint32_t position, const void *key)
{
	return !memcmp((const struct wv_source_function *)array + position, key,
		       sizeof(struct wv_source_function));
}

static bool equal_joinpoint(const void *array, uint32_t position, const void *key)
{
	return !memcmp((const struct wv_joinpoint *)array + position, key,
		       sizeof(struct wv_joinpoint));
}

/*
 * Returns the position in @vec of the element that equals *@key, and adds this element if there is
 * none. @index is the hash table of @vec. Returns UNKNOWN if out of memory.
 */
#define FIND_OR_ADD(vec, index, equal, key)                                                   \
	({                                                                                    \
		uint32_t key_hash = wv_hash_bytes((key), sizeof(*(key)));                     \
		uint32_t found = wv_hash_find((index), key_hash, (equal), (vec)->data, (key)); \
		if (found == WV_HASH_NONE) {                                                  \
			__auto_type added = wv_vec_push(vec);                                 \
			if (added) {                                                          \
				*added = *(key);                                              \
				if (!wv_hash_add((index), key_hash, (vec)->n - 1))            \
					found = (vec)->n - 1;                                 \
			}                                                                     \
		}                                                                             \
		found;                                                                        \
	})

static uint32_t name(struct wv_merge *merge, const struct wv_unit *unit,
		     struct translation *to, uint32_t string)
{
	if (to->names[string] == UNKNOWN)
		to->names[string] = wv_pool_add(&merge->names, unit->strings.data[string]);
	return to->names[string];
}

static uint32_t file(struct wv_merge *merge, const struct wv_unit *unit,
		     struct translation *to, uint32_t string)
{
	if (to->files[string] == UNKNOWN)
		to->files[string] =
			wv_paths_add(&merge->paths,
				     unit->strings.data[unit->compilation_directory],
				     unit->strings.data[string]);
	return to->files[string];
}

/* Makes room for all translations of @unit, filled with UNKNOWN. */
static int prepare(struct wv_merge *merge, const struct wv_unit *unit, struct translation *ret,
		   struct wv_error *error)
{
	size_t wanted = 2 * unit->strings.n + unit->fields.n + unit->functions.n + unit->accesses.n;

	while (merge->scratch.n < wanted)
		if (!wv_vec_push(&merge->scratch))
			return wv_no_memory(error);
	memset(merge->scratch.data, UINT8_MAX, wanted * sizeof(*merge->scratch.data));
	ret->names = merge->scratch.data;
	ret->files = ret->names + unit->strings.n;
	ret->fields = ret->files + unit->strings.n;
	ret->functions = ret->fields + unit->fields.n;
	ret->accesses = ret->functions + unit->functions.n;
	return 0;
}

static int merge_names(struct wv_merge *merge, const struct wv_unit *unit, struct translation *to,
		       struct wv_error *error)
{
	for (size_t i = 0; i < unit->fields.n; i++) {
		const struct wv_unit_field *from = &unit->fields.data[i];
		struct wv_field field = {
			.structure = name(merge, unit, to, from->structure),
			.member = name(merge, unit, to, from->member),
			.path = name(merge, unit, to, from->path),
			.flags = from->flags,
		};

		if (field.structure == UNKNOWN || field.member == UNKNOWN || field.path == UNKNOWN)
			return wv_no_memory(error);
		to->fields[i] = FIND_OR_ADD(&merge->fields, &merge->field_index, equal_field,
					    &field);
		if (to->fields[i] == UNKNOWN)
			return wv_no_memory(error);
	}
	for (size_t i = 0; i < unit->functions.n; i++) {
		const struct wv_unit_function *from = &unit->functions.data[i];
		struct wv_source_function function = {
			.name = name(merge, unit, to, from->name),
			.flags = from->flags,
		};

		if (function.name == UNKNOWN)
			return wv_no_memory(error);
		to->functions[i] = FIND_OR_ADD(&merge->functions, &merge->function_index,
					       equal_function, &function);
		if (to->functions[i] == UNKNOWN)
			return wv_no_memory(error);
	}
	return 0;
}

static int merge_accesses(struct wv_merge *merge, const struct wv_unit *unit,
			  struct translation *to, struct wv_error *error)
{
	for (size_t i = 0; i < unit->accesses.n; i++) {
		const struct wv_unit_access *from = &unit->accesses.data[i];
		struct wv_joinpoint joinpoint = {
			.field = to->fields[from->field],
			.function = to->functions[from->function],
			.kind = from->kind,
			.file = file(merge, unit, to, from->file),
			.line = from->line,
			.column = from->column,
			.macro = WV_NO_MACRO,
		};

		if (joinpoint.file == UNKNOWN)
			return wv_no_memory(error);
		if (from->has_macro) {
			joinpoint.macro = name(merge, unit, to, from->macro);
			joinpoint.spelling_file = file(merge, unit, to, from->spelling_file);
			joinpoint.spelling_line = from->spelling_line;
			joinpoint.spelling_column = from->spelling_column;
			if (joinpoint.macro == UNKNOWN || joinpoint.spelling_file == UNKNOWN)
				return wv_no_memory(error);
		}
		to->accesses[i] = FIND_OR_ADD(&merge->joinpoints, &merge->joinpoint_index,
					      equal_joinpoint, &joinpoint);
		if (to->accesses[i] == UNKNOWN)
			return wv_no_memory(error);
	}
	return 0;
}

static int merge_labels(struct wv_merge *merge, const struct wv_unit *unit,
			const struct translation *to, struct wv_error *error)
{
	wv_vec_for_each(from, &unit->labels) {
		struct wv_label *label = wv_vec_push(&merge->labels);

		if (!label)
			return wv_no_memory(error);
		label->address = from->address;
		label->joinpoint = to->accesses[from->access];
		label->group = merge->next_group + from->function;
		label->effect = from->effect;
	}
	return 0;
}

static int merge_fates(struct wv_merge *merge, const struct wv_unit *unit,
		       struct translation *to, struct wv_error *error)
{
	uint32_t first_label = merge->labels.n - unit->labels.n;

	wv_vec_for_each(from, &unit->fates) {
		struct wv_fate *fate = wv_vec_push(&merge->fates);

		if (!fate)
			return wv_no_memory(error);
		fate->joinpoint = to->accesses[from->access];
		fate->group = merge->next_group + from->function;
		fate->function =
			name(merge, unit, to, unit->functions.data[from->function].name);
		fate->label = from->servant == WV_NO_SERVANT ? WV_NO_SERVANT :
							       first_label + from->servant;
		fate->servant = WV_NO_SERVANT;
		fate->address = 0;
		fate->fate = from->fate;
		if (fate->function == UNKNOWN)
			return wv_no_memory(error);
	}
	return 0;
}

int wv_merge_unit(struct wv_merge *merge, const struct wv_unit *unit, struct wv_error *error)
{
	struct translation to;
	int ret;

	if (wv_paths_add_main(&merge->paths, unit->strings.data[unit->compilation_directory],
			      unit->strings.data[unit->main_file]) == WV_POOL_FAILED)
		return wv_no_memory(error);
	ret = prepare(merge, unit, &to, error);
	if (!ret)
		ret = merge_names(merge, unit, &to, error);
	if (!ret)
		ret = merge_accesses(merge, unit, &to, error);
	if (!ret)
		ret = merge_labels(merge, unit, &to, error);
	if (!ret)
		ret = merge_fates(merge, unit, &to, error);
	merge->next_group += unit->functions.n;
	merge->nr_units++;
	merge->nr_accesses += unit->accesses.n;
	merge->nr_dropped += unit->nr_dropped;
	return ret;
}

bool wv_merge_is_labelled(const struct wv_merge *merge, uint64_t address)
{
	size_t after;

	if (!merge->partial)
		return true;
	after = wv_vec_partition(&merge->labelled, range, range->start <= address);
	return after && address < merge->labelled.data[after - 1].end;
}
