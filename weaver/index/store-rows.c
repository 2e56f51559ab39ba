// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the rows of one image. One table is filled after the other, so that each table's pages are
 * adjacent. Positions count from 0; ids count from 1 and have the image's number in their upper
 * bits.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/linux-version.h"
#include "image/anchors.h"
#include "image/banner.h"
#include "image/dwarf/units.h"
#include "index/store-handle.h"
#include "index/store-rows.h"

/*
 * A table being filled: the values of a row are added in the order of the table's columns, then the
 * row is ended.
 */
struct rows {
	struct wv_store *store;
	sqlite3_stmt *statement;
	int column; /* number of the last value added */
};

static void cleanup_rows(const struct rows *rows)
{
	sqlite3_finalize(rows->statement);
}
#define _cleanup_rows_ __attribute__((cleanup(cleanup_rows)))

static int start_rows(struct wv_store *store, const char *table, int nr_columns, struct rows *ret)
{
	char sql[128];
	size_t n;

	*ret = (struct rows){ .store = store };
	n = snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES(?", table);
	for (int i = 1; i < nr_columns; i++)
		n += snprintf(sql + n, sizeof(sql) - n, ", ?");
	snprintf(sql + n, sizeof(sql) - n, ")");
	if (sqlite3_prepare_v2(store->db, sql, -1, &ret->statement, NULL) != SQLITE_OK)
		return wv_store_fail(store);
	return 0;
}

static int end_row(struct rows *rows)
{
	if (sqlite3_step(rows->statement) != SQLITE_DONE)
		return wv_store_fail(rows->store);
	sqlite3_reset(rows->statement);
	rows->column = 0;
	return 0;
}

static void add_null(struct rows *rows)
{
	sqlite3_bind_null(rows->statement, ++rows->column);
}

static void add_number(struct rows *rows, uint64_t number)
{
	sqlite3_bind_int64(rows->statement, ++rows->column, (sqlite3_int64)number);
}

static void add_text_n(struct rows *rows, const char *text, int n)
{
	sqlite3_bind_text(rows->statement, ++rows->column, text, n, SQLITE_STATIC);
}

static void add_text(struct rows *rows, const char *text)
{
	add_text_n(rows, text, -1);
}

static void add_bytes(struct rows *rows, const uint8_t *bytes, size_t n)
{
	sqlite3_bind_blob(rows->statement, ++rows->column, n ? (const void *)bytes : "", n,
			  SQLITE_STATIC);
}

static void add_id(struct rows *rows, uint32_t position)
{
	add_number(rows, (rows->store->number << WV_IMAGE_ID_BITS) + position + 1);
}

/* Adds one value: the id of the symbol at @position, or NULL if there is no symbol. */
static void add_symbol(struct rows *rows, uint32_t position)
{
	if (position == WV_NO_SYMBOL)
		add_null(rows);
	else
		add_id(rows, position);
}

/* Adds three values: file, line and column; all NULL if the location is unknown. */
static void add_location(struct rows *rows, const struct wv_source_location *location)
{
	if (!location->line) {
		add_null(rows);
		add_null(rows);
		add_null(rows);
		return;
	}
	add_id(rows, location->file);
	add_number(rows, location->line);
	add_number(rows, location->column);
}

static void add_offset(struct rows *rows, uint64_t address)
{
	const struct wv_store *store = rows->store;

	add_number(rows, (store->number << WV_IMAGE_OFFSET_BITS) + address -
				 store->contents->symbols->text);
}

/* Adds the kernel's series ("6.12"); "" if the image does not have it. */
static int add_linux(struct rows *rows)
{
	static const char before[] = "Linux version ";
	struct wv_store *store = rows->store;
	struct wv_linux_text text = { "" };
	char banner[WV_BANNER_MAX];
	wv_linux_version version = 0;
	int ret = wv_image_banner(store->contents->image, banner, store->error);

	if (ret)
		return ret;
	if (!strncmp(banner, before, strlen(before)))
		version = wv_linux_version_of(banner + strlen(before));
	if (version)
		text = wv_linux_version_text(version);
	add_text(rows, "linux");
	add_text(rows, text.text);
	return end_row(rows);
}

/*
 * Writes facts about the vmlinux, in the order of their keys. No fact may depend on where or when
 * the database was made.
 */
static int put_meta(struct wv_store *store)
{
	const struct wv_contents *contents = store->contents;
	_cleanup_rows_ struct rows rows = { 0 };
	const uint8_t *build_id;
	size_t size;
	int ret;

	if (store->number)
		return 0;
	ret = start_rows(store, "meta", 2, &rows);
	if (ret)
		return ret;
	build_id = wv_image_build_id(contents->image, &size);
	add_text(&rows, "build_id");
	add_bytes(&rows, build_id, size);
	ret = end_row(&rows);
	if (ret)
		return ret;
	ret = add_linux(&rows);
	if (ret)
		return ret;
	add_text(&rows, "schema");
	add_number(&rows, WV_SCHEMA_VERSION);
	ret = end_row(&rows);
	if (ret)
		return ret;
	add_text(&rows, "source_root");
	add_text(&rows, wv_paths_root(&contents->merge->paths));
	ret = end_row(&rows);
	if (ret)
		return ret;
	add_text(&rows, "text_address");
	add_number(&rows, contents->symbols->text);
	return end_row(&rows);
}

static int put_image(struct wv_store *store)
{
	const struct wv_contents *contents = store->contents;
	_cleanup_rows_ struct rows rows = { 0 };
	const uint8_t *build_id;
	size_t size;
	int ret = start_rows(store, "image", 7, &rows);

	if (ret)
		return ret;
	build_id = wv_image_build_id(contents->image, &size);
	add_number(&rows, store->number);
	add_text(&rows, contents->name);
	add_bytes(&rows, build_id, size);
	add_number(&rows, contents->merge->nr_units);
	add_number(&rows, contents->merge->nr_accesses);
	add_number(&rows, contents->merge->joinpoints.n);
	add_number(&rows, contents->mentions != NULL);
	return end_row(&rows);
}

static int compare_names(const void *left, const void *right)
{
	const char *const *a = left, *const *b = right;

	return strcmp(*a, *b);
}

/* Writes the C units of an image, if they were compiled separately from it (parsed.h). */
static int put_units(struct wv_store *store)
{
	const struct wv_merge *merge = store->contents->merge;
	_cleanup_free_ const char **names = calloc(merge->units.strings.n + 1, sizeof(*names));
	_cleanup_rows_ struct rows rows = { 0 };
	size_t n = 0;
	int ret = names ? start_rows(store, "unit", 3, &rows) : wv_no_memory(store->error);

	wv_vec_for_each(name, &merge->units.strings)
		if (!ret && wv_unit_is_c(*name))
			names[n++] = *name;
	if (n)
		qsort(names, n, sizeof(*names), compare_names);
	for (size_t i = 0; i < n && !ret; i++) {
		add_id(&rows, i);
		add_text(&rows, names[i]);
		add_number(&rows,
			   merge->unit_is_known.data[wv_pool_find(&merge->units, names[i])]);
		ret = end_row(&rows);
	}
	return ret;
}

/* Writes how many of the units that are not known mention each word, in the order of the words. */
static int put_mentions(struct wv_store *store)
{
	const struct wv_mention_counts *mentions = store->contents->mentions;
	const size_t n = mentions ? mentions->words.strings.n : 0;
	_cleanup_free_ const char **words = calloc(n + 1, sizeof(*words));
	_cleanup_rows_ struct rows rows = { 0 };
	int ret = words ? start_rows(store, "mention", 3, &rows) : wv_no_memory(store->error);

	for (size_t i = 0; i < n && !ret; i++)
		words[i] = wv_pool_get(&mentions->words, i);
	if (n && !ret)
		qsort(words, n, sizeof(*words), compare_names);
	for (size_t i = 0; i < n && !ret; i++) {
		add_number(&rows, store->number);
		add_text(&rows, words[i]);
		add_number(&rows, mentions->units.data[wv_pool_find(&mentions->words, words[i])]);
		ret = end_row(&rows);
	}
	return ret;
}

static bool is_text(const struct wv_section *section)
{
	return (section->flags & SHF_EXECINSTR) && (section->flags & SHF_ALLOC);
}

/* Adds two values, or NULLs: the anchor of a module's section (anchors.h), and its offset there. */
static void add_anchor(struct rows *rows, const struct wv_anchors *anchors,
		       const struct wv_section *section)
{
	const struct wv_symbol *anchor = NULL;

	if (wv_image_is_relocatable(rows->store->contents->image))
		anchor = wv_anchors_of(anchors, rows->store->contents->symbols, section);
	if (!anchor) {
		add_null(rows);
		add_null(rows);
		return;
	}
	add_text(rows, anchor->name);
	add_number(rows, anchor->address - section->address);
}

static int put_sections(struct wv_store *store)
{
	_cleanup_rows_ struct rows rows = { 0 };
	struct wv_anchors anchors;
	int ret = start_rows(store, "section", 5, &rows);

	if (!ret)
		ret = wv_anchors_init(&anchors, store->contents->image, store->error);
	if (ret)
		return ret;
	wv_vec_for_each(section, wv_image_sections(store->contents->image)) {
		if (ret || !is_text(section) || !section->size)
			continue;
		add_offset(&rows, section->address);
		add_text(&rows, section->name);
		add_number(&rows, section->size);
		add_anchor(&rows, &anchors, section);
		ret = end_row(&rows);
	}
	wv_anchors_deinit(&anchors);
	return ret;
}

static int put_files(struct wv_store *store)
{
	_cleanup_rows_ struct rows rows = { 0 };
	int ret = start_rows(store, "file", 2, &rows);

	for (size_t i = 0; i < store->contents->merge->files.n && !ret; i++) {
		add_id(&rows, i);
		add_text(&rows, store->contents->merge->files.data[i]);
		ret = end_row(&rows);
	}
	return ret;
}

/*
 * Writes the fields, with their path's first and last component. A field without a path in the
 * table has the path "struct.member".
 */
static int put_fields(struct wv_store *store)
{
	const struct wv_merge *merge = store->contents->merge;
	_cleanup_rows_ struct rows rows = { 0 };
	int ret = start_rows(store, "field", 8, &rows);

	for (size_t i = 0; i < merge->fields.n && !ret; i++) {
		const struct wv_field *field = &merge->fields.data[i];
		const char *structure = wv_pool_get(&merge->names, field->structure);
		const char *member = wv_pool_get(&merge->names, field->member);
		const char *path = wv_pool_get(&merge->names, field->path);
		const char *dot = strrchr(path, '.');

		add_id(&rows, i);
		add_text(&rows, structure);
		add_text(&rows, member);
		add_text(&rows, path);
		if (dot)
			add_text_n(&rows, path, strcspn(path, "."));
		else
			add_text(&rows, structure);
		add_text(&rows, dot ? dot + 1 : member);
		add_number(&rows, field->flags);
		if (store->contents->operands->offsets.data[i] == WV_NO_OFFSET)
			add_null(&rows);
		else
			add_number(&rows, store->contents->operands->offsets.data[i]);
		ret = end_row(&rows);
	}
	return ret;
}

static int put_functions(struct wv_store *store)
{
	const struct wv_merge *merge = store->contents->merge;
	_cleanup_rows_ struct rows rows = { 0 };
	int ret = start_rows(store, "function", 3, &rows);

	for (size_t i = 0; i < merge->functions.n && !ret; i++) {
		add_id(&rows, i);
		add_text(&rows, wv_pool_get(&merge->names, merge->functions.data[i].name));
		add_number(&rows, merge->functions.data[i].flags);
		ret = end_row(&rows);
	}
	return ret;
}

/*
 * Writes the macros, numbered from 1 in the order of first use, which is as reproducible as the
 * joinpoints' order. @numbers is filled: by number of a macro's name, the macro's number.
 */
static int put_macros(struct wv_store *store, uint32_t *numbers)
{
	const struct wv_merge *merge = store->contents->merge;
	_cleanup_rows_ struct rows rows = { 0 };
	uint32_t n = 0;
	int ret = start_rows(store, "macro", 2, &rows);

	for (size_t i = 0; i < merge->joinpoints.n && !ret; i++) {
		uint32_t macro = merge->joinpoints.data[i].macro;

		if (macro == WV_NO_MACRO || numbers[macro])
			continue;
		add_id(&rows, n);
		add_text(&rows, wv_pool_get(&merge->names, macro));
		numbers[macro] = ++n;
		ret = end_row(&rows);
	}
	return ret;
}

static int put_joinpoints(struct wv_store *store)
{
	const struct wv_merge *merge = store->contents->merge;
	_cleanup_free_ uint32_t *macros = calloc(merge->names.strings.n + 1, sizeof(uint32_t));
	_cleanup_rows_ struct rows rows = { 0 };
	int ret;

	if (!macros)
		return wv_no_memory(store->error);
	ret = put_macros(store, macros);
	if (!ret)
		ret = start_rows(store, "joinpoint", 11, &rows);
	for (size_t i = 0; i < merge->joinpoints.n && !ret; i++) {
		const struct wv_joinpoint *joinpoint = &merge->joinpoints.data[i];

		add_id(&rows, i);
		add_id(&rows, joinpoint->field);
		add_number(&rows, joinpoint->kind);
		add_id(&rows, joinpoint->function);
		add_id(&rows, joinpoint->file);
		add_number(&rows, joinpoint->line);
		add_number(&rows, joinpoint->column);
		if (joinpoint->macro == WV_NO_MACRO) {
			for (int k = 0; k < 4; k++)
				add_null(&rows);
		} else {
			add_id(&rows, macros[joinpoint->macro] - 1);
			add_id(&rows, joinpoint->spelling_file);
			add_number(&rows, joinpoint->spelling_line);
			add_number(&rows, joinpoint->spelling_column);
		}
		ret = end_row(&rows);
	}
	return ret;
}

/*
 * Returns flags of a function: does it follow the C calling convention, and how many argument
 * registers do its calls use? That number is not known for a clone (`foo.isra.0`), nor for a
 * function with several names, which may have been declared in several ways.
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

static int put_symbols(struct wv_store *store)
{
	const struct wv_symbols *symbols = store->contents->symbols;
	_cleanup_rows_ struct rows rows = { 0 };
	int ret = start_rows(store, "symbol", 9, &rows);

	for (size_t i = 0; i < symbols->list.n && !ret; i++) {
		const struct wv_symbol *symbol = &symbols->list.data[i];

		add_id(&rows, i);
		add_text(&rows, symbol->name);
		add_offset(&rows, symbol->address);
		add_number(&rows, symbol->size);
		add_number(&rows, symbol->entry);
		add_number(&rows, (symbol->global ? WV_SYMBOL_GLOBAL : 0) |
					  (symbol->alias ? WV_SYMBOL_ALIAS : 0) |
					  (symbol->label ? WV_SYMBOL_LABEL : 0) |
					  (symbol->import ? WV_SYMBOL_IMPORT : 0) |
					  (is_c(store, symbol) ? WV_SYMBOL_C : 0) |
					  convention_of(store, symbol));
		add_location(&rows, &store->contents->shadows->entries.data[i]);
		ret = end_row(&rows);
	}
	return ret;
}

static int put_shadows(struct wv_store *store)
{
	_cleanup_rows_ struct rows rows = { 0 };
	int ret = start_rows(store, "shadow", 6, &rows);

	for (size_t i = 0; i < store->contents->shadows->list.n && !ret; i++) {
		const struct wv_shadow *shadow = &store->contents->shadows->list.data[i];

		add_id(&rows, shadow->joinpoint);
		add_offset(&rows, shadow->address);
		add_number(&rows, shadow->effect);
		add_number(&rows, shadow->precision);
		add_number(&rows, shadow->chosen);
		add_symbol(&rows, shadow->symbol);
		ret = end_row(&rows);
	}
	return ret;
}

static int put_fates(struct wv_store *store)
{
	_cleanup_rows_ struct rows rows = { 0 };
	int ret = start_rows(store, "fate", 5, &rows);

	wv_vec_for_each(fate, &store->contents->shadows->fates) {
		add_id(&rows, fate->joinpoint);
		add_symbol(&rows, fate->symbol);
		add_number(&rows, fate->fate);
		add_symbol(&rows, fate->by);
		fate->address ? add_offset(&rows, fate->address) : add_null(&rows);
		ret = ret ?: end_row(&rows);
	}
	return ret;
}

static int put_lines(struct wv_store *store)
{
	_cleanup_rows_ struct rows rows = { 0 };
	int ret = start_rows(store, "line", 6, &rows);

	for (size_t i = 0; i < store->contents->shadows->lines.n && !ret; i++) {
		const struct wv_line *line = &store->contents->shadows->lines.data[i];

		add_id(&rows, line->file);
		add_number(&rows, line->line);
		add_offset(&rows, line->address);
		add_number(&rows, line->column);
		add_symbol(&rows, line->symbol);
		add_number(&rows, line->first);
		ret = end_row(&rows);
	}
	return ret;
}

static int put_inlines(struct wv_store *store)
{
	const struct wv_inlined_list *inlined = store->contents->inlined;
	_cleanup_rows_ struct rows rows = { 0 };
	uint32_t n = 0;
	int ret = start_rows(store, "inline", 2, &rows);

	for (size_t i = 0; i < inlined->list.n && !ret; i++) {
		if (wv_inlined_number(inlined, inlined->list.data[i].function) < n)
			continue;
		add_id(&rows, n++);
		add_text(&rows, wv_pool_get(inlined->names, inlined->list.data[i].function));
		ret = end_row(&rows);
	}
	return ret;
}

static int put_copies(struct wv_store *store)
{
	const struct wv_inlined_list *inlined = store->contents->inlined;
	_cleanup_rows_ struct rows rows = { 0 };
	int ret = start_rows(store, "copy", 6, &rows);

	for (size_t i = 0; i < inlined->list.n && !ret; i++) {
		const struct wv_inlined_shadow *instance = &inlined->list.data[i];

		add_id(&rows, wv_inlined_number(inlined, instance->function));
		add_offset(&rows, instance->address);
		add_symbol(&rows, instance->symbol);
		add_location(&rows, &instance->location);
		ret = end_row(&rows);
	}
	return ret;
}

/* Adds one value: the inlined function, or NULL. */
static void add_inline(struct rows *rows, uint32_t function)
{
	function = wv_inlined_number(rows->store->contents->inlined, function);
	if (function == WV_NOT_INLINED)
		add_null(rows);
	else
		add_id(rows, function);
}

static int put_places(struct wv_store *store)
{
	_cleanup_rows_ struct rows rows = { 0 };
	int ret = start_rows(store, "place", 5, &rows);

	for (size_t i = 0; i < store->contents->places->list.n && !ret; i++) {
		const struct wv_source_position *place = &store->contents->places->list.data[i];

		add_offset(&rows, place->address);
		add_location(&rows, &place->location);
		add_inline(&rows, place->function);
		ret = end_row(&rows);
	}
	return ret;
}

static int put_calls(struct wv_store *store)
{
	_cleanup_rows_ struct rows rows = { 0 };
	int ret = start_rows(store, "call", 7, &rows);

	for (size_t i = 0; i < store->contents->calls->list.n && !ret; i++) {
		const struct wv_call *call = &store->contents->calls->list.data[i];

		add_offset(&rows, call->target);
		add_offset(&rows, call->address);
		add_symbol(&rows, call->symbol);
		add_location(&rows, &call->location);
		add_inline(&rows, call->function);
		ret = end_row(&rows);
	}
	return ret;
}

static int put_owners(struct wv_store *store)
{
	_cleanup_rows_ struct rows rows = { 0 };
	int ret = start_rows(store, "owner", 4, &rows);

	for (size_t i = 0; i < store->contents->owners->list.n && !ret; i++) {
		const struct wv_owner *owner = &store->contents->owners->list.data[i];

		add_offset(&rows, owner->address);
		add_number(&rows, owner->kind);
		if (owner->target)
			add_offset(&rows, owner->target);
		else
			add_number(&rows, 0);
		add_number(&rows, owner->size);
		ret = end_row(&rows);
	}
	return ret;
}

static int put_branch_targets(struct wv_store *store)
{
	_cleanup_rows_ struct rows rows = { 0 };
	int ret = start_rows(store, "branch_target", 1, &rows);

	for (size_t i = 0; i < store->contents->branch_targets->list.n && !ret; i++) {
		add_offset(&rows, store->contents->branch_targets->list.data[i]);
		ret = end_row(&rows);
	}
	return ret;
}

static int put_text(struct wv_store *store)
{
	_cleanup_rows_ struct rows rows = { 0 };
	int ret = start_rows(store, "text", 2, &rows);

	wv_vec_for_each(section, wv_image_sections(store->contents->image)) {
		if (ret || !is_text(section))
			continue;
		ret = wv_image_load(store->contents->image, section, store->error);
		if (ret || !section->data)
			continue;
		for (uint64_t at = 0; at < section->size && !ret; at += WV_SCHEMA_TEXT_PIECE) {
			uint64_t left = section->size - at;

			add_offset(&rows, section->address + at);
			add_bytes(&rows, section->data + at,
				  left < WV_SCHEMA_TEXT_PIECE ? left : WV_SCHEMA_TEXT_PIECE);
			ret = end_row(&rows);
		}
	}
	return ret;
}

/* Checks that the image needs no more ids than fit below the image's number (WV_IMAGE_ID_BITS). */
static int check_room(struct wv_store *store)
{
	const struct wv_contents *contents = store->contents;
	const size_t numbers[] = { contents->merge->joinpoints.n, contents->merge->names.strings.n,
				   contents->merge->files.n, contents->symbols->list.n,
				   contents->inlined->names->strings.n };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i] >= 1u << WV_IMAGE_ID_BITS)
			return wv_fail_at(store->error, WV_E_FORMAT,
					  wv_image_path(contents->image), 0, 0,
					  "too much for a database: %zu of a kind", numbers[i]);
	if (store->number >= WV_IMAGES_MAX)
		return wv_fail(store->error, WV_E_USAGE, "more than %u images", WV_IMAGES_MAX);
	return 0;
}

int wv_store_rows(struct wv_store *store)
{
	static int (*const steps[])(struct wv_store *) = {
		check_room, put_meta, put_mentions, put_image, put_units, put_sections, put_files,
		put_fields,
		put_functions, put_joinpoints, put_symbols, put_shadows, put_fates, put_lines,
		put_inlines, put_copies, put_places, put_calls, put_owners, put_branch_targets,
		put_text,
	};
	int ret = 0;

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && !ret; i++)
		ret = steps[i](store);
	return ret;
}
