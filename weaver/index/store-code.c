// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes what the database says of an image's code: symbols, lines, calls, the bytes themselves. */
#include <string.h>

#include "index/rows.h"
#include "index/store-rows.h"

/*
 * Returns the flags of a function that say whether it follows the C calling convention, and how
 * many argument registers a call of it uses. The number of registers is not known for a clone
 * (`foo.isra.0`), nor for a function with several names, which may have been declared in several
 * ways.
 */
static uint32_t convention_of(const struct wv_store *store, const struct wv_symbol *symbol)
{
	const struct wv_symbols *symbols = store->contents->symbols;
	const struct wv_symbol *end = symbols->list.data + symbols->list.n;
	const struct wv_compiled_entry *compiled =
		symbol->label ? NULL : wv_debug_compiled(store->contents->debug, symbol->address);
	bool clear = compiled && !strchr(symbol->name, '.') && !symbol->alias;

	if (!compiled)
		return 0;
	if (symbol + 1 < end && symbol[1].alias && symbol[1].address == symbol->address)
		clear = false;
	return WV_SYMBOL_COMPILED |
	       (clear ? compiled->given : WV_GIVEN_MAX) << WV_SYMBOL_GIVEN_SHIFT;
}

static bool is_c(const struct wv_store *store, const struct wv_symbol *symbol)
{
	return !symbol->label && wv_debug_is_c(store->contents->debug, symbol->address);
}

int wv_store_symbols(struct wv_store *store)
{
	const struct wv_symbols *symbols = store->contents->symbols;
	_cleanup_rows_ struct wv_rows rows = { 0 };
	int ret = wv_rows_start(store, "symbol", 9, &rows);

	for (size_t i = 0; i < symbols->list.n && !ret; i++) {
		const struct wv_symbol *symbol = &symbols->list.data[i];

		wv_rows_id(&rows, i);
		wv_rows_text(&rows, symbol->name);
		wv_rows_offset(&rows, symbol->address);
		wv_rows_number(&rows, symbol->size);
		wv_rows_number(&rows, symbol->entry);
		wv_rows_number(&rows, (symbol->global ? WV_SYMBOL_GLOBAL : 0) |
				      (symbol->alias ? WV_SYMBOL_ALIAS : 0) |
				      (symbol->label ? WV_SYMBOL_LABEL : 0) |
				      (symbol->import ? WV_SYMBOL_IMPORT : 0) |
				      (is_c(store, symbol) ? WV_SYMBOL_C : 0) |
				      convention_of(store, symbol));
		wv_rows_location(&rows, &store->contents->shadows->entries.data[i]);
		ret = wv_rows_end(&rows);
	}
	return ret;
}

int wv_store_lines(struct wv_store *store)
{
	_cleanup_rows_ struct wv_rows rows = { 0 };
	int ret = wv_rows_start(store, "line", 6, &rows);

	for (size_t i = 0; i < store->contents->shadows->lines.n && !ret; i++) {
		const struct wv_line *line = &store->contents->shadows->lines.data[i];

		wv_rows_id(&rows, line->file);
		wv_rows_number(&rows, line->line);
		wv_rows_offset(&rows, line->address);
		wv_rows_number(&rows, line->column);
		wv_rows_symbol(&rows, line->symbol);
		wv_rows_number(&rows, line->first);
		ret = wv_rows_end(&rows);
	}
	return ret;
}

int wv_store_inlines(struct wv_store *store)
{
	const struct wv_inlined_list *inlined = store->contents->inlined;
	_cleanup_rows_ struct wv_rows rows = { 0 };
	uint32_t n = 0;
	int ret = wv_rows_start(store, "inline", 2, &rows);

	for (size_t i = 0; i < inlined->list.n && !ret; i++) {
		if (wv_inlined_number(inlined, inlined->list.data[i].function) < n)
			continue;
		wv_rows_id(&rows, n++);
		wv_rows_text(&rows, wv_pool_get(inlined->names, inlined->list.data[i].function));
		ret = wv_rows_end(&rows);
	}
	return ret;
}

int wv_store_copies(struct wv_store *store)
{
	const struct wv_inlined_list *inlined = store->contents->inlined;
	_cleanup_rows_ struct wv_rows rows = { 0 };
	int ret = wv_rows_start(store, "copy", 6, &rows);

	for (size_t i = 0; i < inlined->list.n && !ret; i++) {
		const struct wv_inlined_shadow *instance = &inlined->list.data[i];

		wv_rows_id(&rows, wv_inlined_number(inlined, instance->function));
		wv_rows_offset(&rows, instance->address);
		wv_rows_symbol(&rows, instance->symbol);
		wv_rows_location(&rows, &instance->location);
		ret = wv_rows_end(&rows);
	}
	return ret;
}

/* Adds one value: the inlined function, or NULL. */
static void add_inline(struct wv_rows *rows, uint32_t function)
{
	function = wv_inlined_number(rows->store->contents->inlined, function);
	if (function == WV_NOT_INLINED)
		wv_rows_null(rows);
	else
		wv_rows_id(rows, function);
}

int wv_store_places(struct wv_store *store)
{
	_cleanup_rows_ struct wv_rows rows = { 0 };
	int ret = wv_rows_start(store, "place", 5, &rows);

	for (size_t i = 0; i < store->contents->places->list.n && !ret; i++) {
		const struct wv_source_position *place = &store->contents->places->list.data[i];

		wv_rows_offset(&rows, place->address);
		wv_rows_location(&rows, &place->location);
		add_inline(&rows, place->function);
		ret = wv_rows_end(&rows);
	}
	return ret;
}

int wv_store_calls(struct wv_store *store)
{
	_cleanup_rows_ struct wv_rows rows = { 0 };
	int ret = wv_rows_start(store, "call", 7, &rows);

	for (size_t i = 0; i < store->contents->calls->list.n && !ret; i++) {
		const struct wv_call *call = &store->contents->calls->list.data[i];

		wv_rows_offset(&rows, call->target);
		wv_rows_offset(&rows, call->address);
		wv_rows_symbol(&rows, call->symbol);
		wv_rows_location(&rows, &call->location);
		add_inline(&rows, call->function);
		ret = wv_rows_end(&rows);
	}
	return ret;
}

int wv_store_owners(struct wv_store *store)
{
	_cleanup_rows_ struct wv_rows rows = { 0 };
	int ret = wv_rows_start(store, "owner", 4, &rows);

	for (size_t i = 0; i < store->contents->owners->list.n && !ret; i++) {
		const struct wv_owner *owner = &store->contents->owners->list.data[i];

		wv_rows_offset(&rows, owner->address);
		wv_rows_number(&rows, owner->kind);
		if (owner->target)
			wv_rows_offset(&rows, owner->target);
		else
			wv_rows_number(&rows, 0);
		wv_rows_number(&rows, owner->size);
		ret = wv_rows_end(&rows);
	}
	return ret;
}

int wv_store_branch_targets(struct wv_store *store)
{
	_cleanup_rows_ struct wv_rows rows = { 0 };
	int ret = wv_rows_start(store, "branch_target", 1, &rows);

	for (size_t i = 0; i < store->contents->branch_targets->list.n && !ret; i++) {
		wv_rows_offset(&rows, store->contents->branch_targets->list.data[i]);
		ret = wv_rows_end(&rows);
	}
	return ret;
}

int wv_store_text(struct wv_store *store)
{
	_cleanup_rows_ struct wv_rows rows = { 0 };
	int ret = wv_rows_start(store, "text", 2, &rows);

	wv_vec_for_each(section, wv_image_sections(store->contents->image)) {
		if (ret || !wv_store_is_text(section))
			continue;
		ret = wv_image_load(store->contents->image, section, store->error);
		if (ret || !section->data)
			continue;
		for (uint64_t at = 0; at < section->size && !ret; at += WV_SCHEMA_TEXT_PIECE) {
			uint64_t left = section->size - at;

			wv_rows_offset(&rows, section->address + at);
			wv_rows_bytes(&rows, section->data + at,
				      left < WV_SCHEMA_TEXT_PIECE ? left : WV_SCHEMA_TEXT_PIECE);
			ret = wv_rows_end(&rows);
		}
	}
	return ret;
}
