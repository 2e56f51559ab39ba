// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the accesses of members: the joinpoints and what they consist of, their shadows, and the
 * fates of those without one.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "index/rows.h"
#include "index/store-rows.h"

int wv_store_files(struct wv_store *store)
{
	_cleanup_rows_ struct wv_rows rows = { 0 };
	int ret = wv_rows_start(store, "file", 2, &rows);

	for (size_t i = 0; i < store->contents->merge->files.n && !ret; i++) {
		wv_rows_id(&rows, i);
		wv_rows_text(&rows, store->contents->merge->files.data[i]);
		ret = wv_rows_end(&rows);
	}
	return ret;
}

/*
 * Writes the fields, each with the first and the last component of its path. If a field has no path
 * in the joinpoint table, its path is "struct.member".
 */
int wv_store_fields(struct wv_store *store)
{
	const struct wv_merge *merge = store->contents->merge;
	_cleanup_rows_ struct wv_rows rows = { 0 };
	int ret = wv_rows_start(store, "field", 8, &rows);

	for (size_t i = 0; i < merge->fields.n && !ret; i++) {
		const struct wv_field *field = &merge->fields.data[i];
		const char *structure = wv_pool_get(&merge->names, field->structure);
		const char *member = wv_pool_get(&merge->names, field->member);
		const char *path = wv_pool_get(&merge->names, field->path);
		const char *dot = strrchr(path, '.');

		wv_rows_id(&rows, i);
		wv_rows_text(&rows, structure);
		wv_rows_text(&rows, member);
		wv_rows_text(&rows, path);
		if (dot)
			wv_rows_text_n(&rows, path, strcspn(path, "."));
		else
			wv_rows_text(&rows, structure);
		wv_rows_text(&rows, dot ? dot + 1 : member);
		wv_rows_number(&rows, field->flags);
		if (store->contents->operands->offsets.data[i] == WV_NO_OFFSET)
			wv_rows_null(&rows);
		else
			wv_rows_number(&rows, store->contents->operands->offsets.data[i]);
		ret = wv_rows_end(&rows);
	}
	return ret;
}

int wv_store_functions(struct wv_store *store)
{
	const struct wv_merge *merge = store->contents->merge;
	_cleanup_rows_ struct wv_rows rows = { 0 };
	int ret = wv_rows_start(store, "function", 3, &rows);

	for (size_t i = 0; i < merge->functions.n && !ret; i++) {
		wv_rows_id(&rows, i);
		wv_rows_text(&rows, wv_pool_get(&merge->names, merge->functions.data[i].name));
		wv_rows_number(&rows, merge->functions.data[i].flags);
		ret = wv_rows_end(&rows);
	}
	return ret;
}

/*
 * Writes the macros. They are numbered from 1, in the order in which the joinpoints first use them.
 * Stores each macro's number in @numbers, which is indexed by the number of the macro's name.
 */
static int put_macros(struct wv_store *store, uint32_t *numbers)
{
	const struct wv_merge *merge = store->contents->merge;
	_cleanup_rows_ struct wv_rows rows = { 0 };
	uint32_t n = 0;
	int ret = wv_rows_start(store, "macro", 2, &rows);

	for (size_t i = 0; i < merge->joinpoints.n && !ret; i++) {
		uint32_t macro = merge->joinpoints.data[i].macro;

		if (macro == WV_NO_MACRO || numbers[macro])
			continue;
		wv_rows_id(&rows, n);
		wv_rows_text(&rows, wv_pool_get(&merge->names, macro));
		numbers[macro] = ++n;
		ret = wv_rows_end(&rows);
	}
	return ret;
}

int wv_store_joinpoints(struct wv_store *store)
{
	const struct wv_merge *merge = store->contents->merge;
	_cleanup_free_ uint32_t *macros = calloc(merge->names.strings.n + 1, sizeof(uint32_t));
	_cleanup_rows_ struct wv_rows rows = { 0 };
	int ret;

	if (!macros)
		return wv_no_memory(store->error);
	ret = put_macros(store, macros);
	if (!ret)
		ret = wv_rows_start(store, "joinpoint", 11, &rows);
	for (size_t i = 0; i < merge->joinpoints.n && !ret; i++) {
		const struct wv_joinpoint *joinpoint = &merge->joinpoints.data[i];

		wv_rows_id(&rows, i);
		wv_rows_id(&rows, joinpoint->field);
		wv_rows_number(&rows, joinpoint->kind);
		wv_rows_id(&rows, joinpoint->function);
		wv_rows_id(&rows, joinpoint->file);
		wv_rows_number(&rows, joinpoint->line);
		wv_rows_number(&rows, joinpoint->column);
		if (joinpoint->macro == WV_NO_MACRO) {
			for (int k = 0; k < 4; k++)
				wv_rows_null(&rows);
		} else {
			wv_rows_id(&rows, macros[joinpoint->macro] - 1);
			wv_rows_id(&rows, joinpoint->spelling_file);
			wv_rows_number(&rows, joinpoint->spelling_line);
			wv_rows_number(&rows, joinpoint->spelling_column);
		}
		ret = wv_rows_end(&rows);
	}
	return ret;
}

int wv_store_shadows(struct wv_store *store)
{
	_cleanup_rows_ struct wv_rows rows = { 0 };
	int ret = wv_rows_start(store, "shadow", 6, &rows);

	for (size_t i = 0; i < store->contents->shadows->list.n && !ret; i++) {
		const struct wv_shadow *shadow = &store->contents->shadows->list.data[i];

		wv_rows_id(&rows, shadow->joinpoint);
		wv_rows_offset(&rows, shadow->address);
		wv_rows_number(&rows, shadow->effect);
		wv_rows_number(&rows, shadow->precision);
		wv_rows_number(&rows, shadow->chosen);
		wv_rows_symbol(&rows, shadow->symbol);
		ret = wv_rows_end(&rows);
	}
	return ret;
}

int wv_store_fates(struct wv_store *store)
{
	_cleanup_rows_ struct wv_rows rows = { 0 };
	int ret = wv_rows_start(store, "fate", 5, &rows);

	wv_vec_for_each(fate, &store->contents->shadows->fates) {
		wv_rows_id(&rows, fate->joinpoint);
		wv_rows_symbol(&rows, fate->symbol);
		wv_rows_number(&rows, fate->fate);
		wv_rows_symbol(&rows, fate->by);
		fate->address ? wv_rows_offset(&rows, fate->address) : wv_rows_null(&rows);
		ret = ret ?: wv_rows_end(&rows);
	}
	return ret;
}
