// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the lists of a unit; see table-lists.h. After an error the cursor reads only zeros, and
 * keeps the error. So each list checks for an error only once, before it uses a number. A list is
 * stored by columns: first one member of all elements, then the next member. The table stores no
 * numbers of strings, fields and functions: each gets the next number where it is first referred
 * to, and later references count back from the newest one. So only one sort of reference is
 * invalid: one that counts back further than the first element.
 */
#include <stdlib.h>
#include <string.h>

#include "image/table-lists.h"
#include "image/table-numbers.h"

static void read_locations(struct wv_table_lists *lists, struct wv_unit *unit)
{
	const struct wv_unit_access *before = NULL;
	struct wv_cursor *cursor = &lists->cursor;

	wv_vec_for_each(access, &unit->accesses)
		access->file = wv_table_mention(cursor, &lists->strings);
	wv_vec_for_each(access, &unit->accesses) {
		const uint8_t *start = cursor->at;
		uint32_t kind_flags = wv_table_below(cursor, WEFT_ACCESS_MACRO << 1,
						     "unknown flags of an access");

		access->kind = kind_flags & WEFT_ACCESS_KIND_MASK;
		access->has_macro = kind_flags & WEFT_ACCESS_MACRO;
		if (access->kind >= WEFT_KIND_COUNT)
			wv_cursor_fail(cursor, "unknown kind of access", start);
	}
	wv_vec_for_each(access, &unit->accesses) {
		access->line = wv_table_relative(
			cursor, before && before->file == access->file ? before->line : 0,
			INT32_MAX, "line out of range");
		before = access;
	}
	wv_vec_for_each(access, &unit->accesses)
		access->column = wv_table_below(cursor, INT32_MAX, "column too large");
}

/*
 * Reads the second location of an access in a macro: where the macro's text spells the member. The
 * macro's name was read before. @full is the last access before this one whose second location was
 * stored in full (WEFT_SPELLING_FULL); NULL if there is none.
 */
static void read_spelling(struct wv_table_lists *lists, struct wv_unit_access *access,
			  const struct wv_unit_access *full)
{
	struct wv_cursor *cursor = &lists->cursor;

	if (access->spelling == WEFT_SPELLING_NEAR) {
		access->spelling_file = access->file;
		access->spelling_line =
			wv_table_relative(cursor, access->line, INT32_MAX, "line out of range");
		access->spelling_column =
			wv_table_relative(cursor, access->column, INT32_MAX, "column out of range");
		return;
	}
	access->spelling_file = wv_table_mention(cursor, &lists->strings);
	access->spelling_line = wv_table_relative(
		cursor,
		full && full->spelling_file == access->spelling_file ? full->spelling_line : 0,
		INT32_MAX, "line out of range");
	access->spelling_column = wv_table_below(cursor, INT32_MAX, "column too large");
}

/*
 * Reads the second locations of all accesses in macros. @last has an element for each field: 1 +
 * the index of the last access of the field whose second location was stored FULL, or 0 if there is
 * none.
 */
static void read_spellings(struct wv_table_lists *lists, struct wv_unit *unit, uint32_t *last)
{
	const struct wv_unit_access *full = NULL;
	struct wv_cursor *cursor = &lists->cursor;

	wv_vec_for_each(access, &unit->accesses) {
		if (!access->has_macro || cursor->wrong)
			continue;
		if (access->spelling != WEFT_SPELLING_LAST) {
			read_spelling(lists, access, full);
			if (access->spelling == WEFT_SPELLING_FULL) {
				last[access->field] = access - unit->accesses.data + 1;
				full = access;
			}
		} else if (last[access->field]) {
			const struct wv_unit_access *as =
				&unit->accesses.data[last[access->field] - 1];

			access->macro = as->macro;
			access->spelling_file = as->spelling_file;
			access->spelling_line = as->spelling_line;
			access->spelling_column = as->spelling_column;
		} else {
			wv_cursor_fail(cursor, "macro as before, but there is none", cursor->at);
		}
	}
}

static void read_macros(struct wv_table_lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;
	uint32_t *last;

	wv_vec_for_each(access, &unit->accesses)
		if (access->has_macro)
			access->spelling =
				wv_table_below(cursor, WEFT_SPELLING_COUNT, "unknown spelling");
	wv_vec_for_each(access, &unit->accesses)
		if (access->has_macro && access->spelling != WEFT_SPELLING_LAST)
			access->macro = wv_table_mention(cursor, &lists->strings);
	last = calloc(lists->fields + 1, sizeof(*last));
	if (last)
		read_spellings(lists, unit, last);
	else
		wv_cursor_fail(cursor, WV_OUT_OF_MEMORY, cursor->at);
	free(last);
}

static void read_accesses(struct wv_table_lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;

	WV_RESIZE_OR_RETURN(cursor, &unit->accesses,
			    wv_table_count(cursor, 6, "more accesses than bytes"));
	wv_vec_for_each(access, &unit->accesses)
		access->function = wv_table_mention(cursor, &lists->functions);
	read_locations(lists, unit);
	wv_vec_for_each(access, &unit->accesses)
		access->field = wv_table_mention(cursor, &lists->fields);
	read_macros(lists, unit);
}

static void read_range(struct wv_table_lists *lists, struct wv_unit *unit, uint32_t section)
{
	struct wv_cursor *cursor = &lists->cursor;
	uint32_t function = wv_table_mention(cursor, &lists->functions);
	const uint8_t *start = cursor->at;
	size_t n = wv_table_count(cursor, 2, "more labels than bytes");

	if (!cursor->wrong && !n)
		wv_cursor_fail(cursor, "range without labels", start);
	for (size_t i = 0; i < n; i++) {
		struct wv_unit_label *label = WV_PUSH_OR_RETURN(cursor, &unit->labels);

		label->function = function;
		label->section = section;
		/*
		 * A first value, which read_entries() replaces by the label's flag. Until then,
		 * false says that the label is the first of a range, which must have an address of
		 * its own.
		 */
		label->same = i;
	}
}

static void read_ranges(struct wv_table_lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;
	size_t sections = wv_table_count(cursor, 3, "more sections than bytes");

	lists->ranges.n = 0;
	unit->labels.n = 0;
	for (size_t i = 0; i < sections && !cursor->wrong; i++) {
		size_t n = wv_table_count(cursor, 2, "more ranges than bytes");
		uint32_t *count = WV_PUSH_OR_RETURN(cursor, &lists->ranges);

		*count = n;
		if (!cursor->wrong && !n)
			wv_cursor_fail(cursor, "section without ranges", cursor->at);
		for (size_t k = 0; k < n && !cursor->wrong; k++)
			read_range(lists, unit, i);
	}
}

static void read_entries(struct wv_table_lists *lists, struct wv_unit *unit)
{
	static const uint8_t effect_of_kind[] = WEFT_EFFECT_OF_KIND;
	struct wv_cursor *cursor = &lists->cursor;
	uint32_t last = 0;

	wv_vec_for_each(label, &unit->labels)
		label->access = last = wv_table_relative(cursor, last, unit->accesses.n,
							 "access number out of range");
	wv_vec_for_each(label, &unit->labels) {
		const uint8_t *start = cursor->at;
		uint32_t flags =
			wv_table_below(cursor, (WEFT_EFFECT_COUNT + 1) << WEFT_ENTRY_EFFECT_SHIFT,
				       "unknown access effect of a label");
		uint32_t code = flags >> WEFT_ENTRY_EFFECT_SHIFT;

		if (cursor->wrong)
			return;
		label->effect =
			code ? code - 1 : effect_of_kind[unit->accesses.data[label->access].kind];
		if ((flags & WEFT_ENTRY_SAME) && !label->same)
			wv_cursor_fail(cursor, "first label of a range without an address", start);
		label->same = flags & WEFT_ENTRY_SAME;
	}
}

/* Reads which functions have fates, and how many. */
static void read_fate_counts(struct wv_table_lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;
	size_t functions = wv_table_count(cursor, 2, "more functions with fates than bytes");

	for (size_t i = 0; i < functions && !cursor->wrong; i++) {
		uint32_t function = wv_table_mention(cursor, &lists->functions);
		const uint8_t *start = cursor->at;
		size_t n = wv_table_count(cursor, 2, "more fates than bytes");

		if (unit->fates.n + n > (size_t)(cursor->end - cursor->at))
			wv_cursor_fail(cursor, "more fates than bytes", start);
		for (; n && !cursor->wrong; n--) {
			struct wv_unit_fate *fate = WV_PUSH_OR_RETURN(cursor, &unit->fates);

			fate->function = function;
			fate->servant = WV_NO_SERVANT;
		}
	}
}

static void read_fates(struct wv_table_lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;
	uint32_t last = 0;

	unit->fates.n = 0;
	if (!unit->has_fates)
		return;
	read_fate_counts(lists, unit);
	wv_vec_for_each(fate, &unit->fates)
		fate->access = last = wv_table_relative(cursor, last, unit->accesses.n,
							"access number out of range");
	wv_vec_for_each(fate, &unit->fates) {
		const uint8_t *start = cursor->at;
		uint32_t flags = wv_table_below(cursor, WEFT_FATE_HAS_SERVANT << 1,
						"unknown flags of a fate");

		fate->fate = flags & WEFT_FATE_MASK;
		if (fate->fate >= WEFT_FATE_COUNT ||
		    (flags & WEFT_FATE_HAS_SERVANT && fate->fate != WEFT_FATE_COALESCED))
			wv_cursor_fail(cursor, "unknown fate", start);
		if (flags & WEFT_FATE_HAS_SERVANT)
			fate->servant = 0;
	}
	last = 0;
	wv_vec_for_each(fate, &unit->fates)
		if (fate->servant != WV_NO_SERVANT)
			fate->servant = last = wv_table_relative(cursor, last, unit->labels.n,
								 "servant out of range");
}

static void read_functions(struct wv_table_lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;

	WV_RESIZE_OR_RETURN(cursor, &unit->functions, lists->functions);
	wv_vec_for_each(function, &unit->functions)
		function->name = wv_table_mention(cursor, &lists->strings);
	wv_vec_for_each(function, &unit->functions)
		function->flags = wv_table_below(cursor, UINT32_MAX, "function flags too large");
}

static void read_fields(struct wv_table_lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;

	unit->fields.n = 0;
	/* Reading a field's parent may add to lists->fields. */
	for (size_t i = 0; i < lists->fields && !cursor->wrong; i++) {
		struct wv_unit_field *field = WV_PUSH_OR_RETURN(cursor, &unit->fields);

		field->path_kind = wv_table_below(cursor, WEFT_PATH_COUNT, "unknown kind of path");
		if (field->path_kind == WEFT_PATH_PREFIX)
			field->up = wv_table_mention(cursor, &lists->strings);
		else if (field->path_kind == WEFT_PATH_PARENT)
			field->up = wv_table_mention(cursor, &lists->fields);
	}
	wv_vec_for_each(field, &unit->fields)
		field->structure = wv_table_mention(cursor, &lists->strings);
	wv_vec_for_each(field, &unit->fields)
		field->member = wv_table_mention(cursor, &lists->strings);
	wv_vec_for_each(field, &unit->fields)
		field->flags = wv_table_below(cursor, UINT32_MAX, "field flags too large");
}

static void read_strings(struct wv_table_lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;

	unit->strings.n = 0;
	for (size_t i = 0; i < lists->strings && !cursor->wrong; i++) {
		const char *string = wv_cursor_string(cursor);

		if (string)
			*WV_PUSH_OR_RETURN(cursor, &unit->strings) = string;
	}
	if (!cursor->wrong && cursor->at != cursor->end)
		wv_cursor_fail(cursor, "bytes left over at the end of the lists", cursor->at);
}

/*
 * Writes the path of a field to @to, unless @to is NULL. Returns the path's length, or 0 if the
 * field has more than @depth parents. A path begins with the name of the struct, a prefix string or
 * the path of the field's parent. A dot and the member follow. Only the path of a parent that is a
 * plain member (WEFT_PATH_PLAIN) of a struct without a name has no dot: it is the member alone.
 */
static size_t spell(const struct wv_unit *unit, const struct wv_unit_field *field, char *to,
		    unsigned int depth)
{
	const char *member = unit->strings.data[field->member], *before;
	size_t n;

	if (field->path_kind == WEFT_PATH_PARENT) {
		n = depth ? spell(unit, &unit->fields.data[field->up], to, depth - 1) : 0;
		if (!n)
			return 0;
	} else {
		before =
			unit->strings.data[field->path_kind == WEFT_PATH_PREFIX ? field->up
										: field->structure];
		n = strlen(before);
		if (to)
			memcpy(to, before, n);
	}
	if (n || field->path_kind) {
		if (to)
			to[n] = '.';
		n++;
	}
	if (to)
		strcpy(to + n, member);
	return n + strlen(member);
}

/* Builds the paths of the first @n fields, as new elements of unit->strings. */
static void make_paths(struct wv_cursor *cursor, struct wv_unit *unit, size_t n)
{
	size_t wanted = 1, used = 1;

	for (size_t i = 0; i < n && wanted <= WEFT_LISTS_MAX; i++) {
		const struct wv_unit_field *field = &unit->fields.data[i];
		size_t length = field->path_kind ? spell(unit, field, NULL, WEFT_PATH_MAX) : 0;

		if (!length && field->path_kind) {
			wv_cursor_fail(cursor, "path of too many members", cursor->end);
			return;
		}
		wanted += length ? length + 1 : 0;
	}
	if (wanted > WEFT_LISTS_MAX) {
		wv_cursor_fail(cursor, "paths too long", cursor->end);
		return;
	}
	free(unit->paths);
	unit->paths = malloc(wanted);
	if (!unit->paths) {
		wv_cursor_fail(cursor, WV_OUT_OF_MEMORY, cursor->end);
		return;
	}
	*unit->paths = '\0';
	*WV_PUSH_OR_RETURN(cursor, &unit->strings) = unit->paths;
	for (size_t i = 0; i < n; i++) {
		struct wv_unit_field *field = &unit->fields.data[i];

		field->path = unit->no_path;
		if (!field->path_kind)
			continue;
		*WV_PUSH_OR_RETURN(cursor, &unit->strings) = unit->paths + used;
		field->path = unit->strings.n - 1;
		used += spell(unit, field, unit->paths + used, WEFT_PATH_MAX) + 1;
	}
}

void wv_table_lists_read(struct wv_table_lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;
	size_t accessed;

	unit->compilation_directory = wv_table_mention(cursor, &lists->strings);
	unit->main_file = wv_table_mention(cursor, &lists->strings);
	read_accesses(lists, unit);
	accessed = lists->fields;
	read_ranges(lists, unit);
	read_entries(lists, unit);
	read_fates(lists, unit);
	read_functions(lists, unit);
	read_fields(lists, unit);
	read_strings(lists, unit);
	if (cursor->wrong)
		return;
	unit->no_path = unit->strings.n;
	make_paths(cursor, unit, accessed);
	/* The fields that follow are only parents of other fields. No access refers to them. */
	unit->fields.n = accessed;
}
