// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the plugin's joinpoint table; see table-reader.h. The cursor keeps the first error and
 * reads zeros after it, so each list checks for an error once, before it uses a number. Lists are
 * stored by columns. Strings, fields and functions are numbered by first mention, so a mention is
 * invalid only if it counts back too far.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "image/cursor.h"
#include "image/table-reader.h"

enum {
	MAGIC_SIZE = 4,
	HEADER_SIZE = 12, /* magic, version, address size, flags, length */
	VERSION_AT = 4,
	ADDRESS_SIZE_AT = 5,
	FLAGS_AT = 6,
	LENGTH_AT = 8,
};

/* Reads a number that must be less than @limit. @what: error message. */
static uint32_t read_below(struct wv_cursor *cursor, uint64_t limit, const char *what)
{
	const uint8_t *start = cursor->at;
	uint64_t value = wv_cursor_uleb(cursor);

	if (!cursor->wrong && value >= limit)
		wv_cursor_fail(cursor, what, start);
	return cursor->wrong ? 0 : value;
}

/* Reads a signed number. Returns the number plus @base; this sum must be in [0, @limit). */
static uint32_t read_relative(struct wv_cursor *cursor, uint32_t base, uint64_t limit,
			      const char *what)
{
	const uint8_t *start = cursor->at;
	/* Unsigned arithmetic: an untrusted sum wraps around instead of being undefined. */
	uint64_t value = base + (uint64_t)wv_cursor_sleb(cursor);

	if (!cursor->wrong && value >= limit)
		wv_cursor_fail(cursor, what, start);
	return cursor->wrong ? 0 : value;
}

/*
 * Reads a mention of a list's element and returns its index. *@mentioned: elements mentioned so
 * far. The number read is 0 for the next new element, n for the n-th from the end.
 */
static uint32_t read_mention(struct wv_cursor *cursor, size_t *mentioned)
{
	const uint8_t *start = cursor->at;
	uint64_t back = wv_cursor_uleb(cursor);

	if (cursor->wrong)
		return 0;
	if (!back)
		return (*mentioned)++;
	if (back > *mentioned) {
		wv_cursor_fail(cursor, "mention of what was not mentioned before", start);
		return 0;
	}
	return *mentioned - back;
}

/*
 * Reads a count of elements of at least @bytes bytes each. A count larger than the rest of the unit
 * can hold is an error at once, before memory is allocated for it.
 */
static size_t read_count(struct wv_cursor *cursor, size_t bytes, const char *what)
{
	const uint8_t *start = cursor->at;
	uint64_t count = wv_cursor_uleb(cursor);

	if (!cursor->wrong && count > (uint64_t)(cursor->end - cursor->at) / bytes)
		wv_cursor_fail(cursor, what, start);
	return cursor->wrong ? 0 : count;
}

#define OUT_OF_MEMORY "out of memory"

/*
 * Adds an element to a vector. If out of memory, sets the cursor's error and returns from the
 * function that contains the macro's call.
 */
#define PUSH_OR_RETURN(cursor, vec)                                    \
	({                                                             \
		__auto_type pushed = wv_vec_push(vec);                 \
		if (!pushed) {                                         \
			wv_cursor_fail(cursor, OUT_OF_MEMORY, (cursor)->at); \
			return;                                        \
		}                                                      \
		pushed;                                                \
	})

/*
 * The state while a unit's lists are read. .strings, .functions, .fields: how many elements of each
 * list were mentioned so far.
 */
struct lists {
	struct wv_cursor cursor;
	size_t strings, functions, fields;
	WV_VEC(uint32_t) ranges; /* number of ranges of each section */
	/* by a label's number: its index in the unit, or WV_NO_SERVANT if it was dropped */
	WV_VEC(uint32_t) kept;
};

/* Makes @vec a vector of @count zeroed elements. */
#define RESIZE_OR_RETURN(cursor, vec, count)                                  \
	do {                                                                  \
		(vec)->n = 0;                                                 \
		for (size_t left = (count); left && !(cursor)->wrong; left--) \
			PUSH_OR_RETURN(cursor, vec);                          \
	} while (0)

static void read_locations(struct lists *lists, struct wv_unit *unit)
{
	const struct wv_unit_access *before = NULL;
	struct wv_cursor *cursor = &lists->cursor;

	wv_vec_for_each(access, &unit->accesses)
		access->file = read_mention(cursor, &lists->strings);
	wv_vec_for_each(access, &unit->accesses) {
		const uint8_t *start = cursor->at;
		uint32_t kind_flags =
			read_below(cursor, WEFT_ACCESS_MACRO << 1, "unknown flags of an access");

		access->kind = kind_flags & WEFT_ACCESS_KIND_MASK;
		access->has_macro = kind_flags & WEFT_ACCESS_MACRO;
		if (access->kind >= WEFT_KIND_COUNT)
			wv_cursor_fail(cursor, "unknown kind of access", start);
	}
	wv_vec_for_each(access, &unit->accesses) {
		access->line = read_relative(
			cursor, before && before->file == access->file ? before->line : 0,
			INT32_MAX, "line out of range");
		before = access;
	}
	wv_vec_for_each(access, &unit->accesses)
		access->column = read_below(cursor, INT32_MAX, "column too large");
}

/*
 * Reads the spelling's location of an access in a macro; the macro's name was read before. @full:
 * the last access before this one whose spelling was stored FULL; NULL: none.
 */
static void read_spelling(struct lists *lists, struct wv_unit_access *access,
			  const struct wv_unit_access *full)
{
	struct wv_cursor *cursor = &lists->cursor;

	if (access->spelling == WEFT_SPELLING_NEAR) {
		access->spelling_file = access->file;
		access->spelling_line =
			read_relative(cursor, access->line, INT32_MAX, "line out of range");
		access->spelling_column =
			read_relative(cursor, access->column, INT32_MAX, "column out of range");
		return;
	}
	access->spelling_file = read_mention(cursor, &lists->strings);
	access->spelling_line = read_relative(
		cursor,
		full && full->spelling_file == access->spelling_file ? full->spelling_line : 0,
		INT32_MAX, "line out of range");
	access->spelling_column = read_below(cursor, INT32_MAX, "column too large");
}

/*
 * Reads the second locations of all accesses in macros. @last: for each field, 1 + the index of its
 * last access whose spelling was stored FULL; 0: none.
 */
static void read_spellings(struct lists *lists, struct wv_unit *unit, uint32_t *last)
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

static void read_macros(struct lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;
	uint32_t *last;

	wv_vec_for_each(access, &unit->accesses)
		if (access->has_macro)
			access->spelling =
				read_below(cursor, WEFT_SPELLING_COUNT, "unknown spelling");
	wv_vec_for_each(access, &unit->accesses)
		if (access->has_macro && access->spelling != WEFT_SPELLING_LAST)
			access->macro = read_mention(cursor, &lists->strings);
	last = calloc(lists->fields + 1, sizeof(*last));
	if (last)
		read_spellings(lists, unit, last);
	else
		wv_cursor_fail(cursor, OUT_OF_MEMORY, cursor->at);
	free(last);
}

static void read_accesses(struct lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;

	RESIZE_OR_RETURN(cursor, &unit->accesses,
			 read_count(cursor, 6, "more accesses than bytes"));
	wv_vec_for_each(access, &unit->accesses)
		access->function = read_mention(cursor, &lists->functions);
	read_locations(lists, unit);
	wv_vec_for_each(access, &unit->accesses)
		access->field = read_mention(cursor, &lists->fields);
	read_macros(lists, unit);
}

static void read_range(struct lists *lists, struct wv_unit *unit, uint32_t section)
{
	struct wv_cursor *cursor = &lists->cursor;
	uint32_t function = read_mention(cursor, &lists->functions);
	const uint8_t *start = cursor->at;
	size_t n = read_count(cursor, 2, "more labels than bytes");

	if (!cursor->wrong && !n)
		wv_cursor_fail(cursor, "range without labels", start);
	for (size_t i = 0; i < n; i++) {
		struct wv_unit_label *label = PUSH_OR_RETURN(cursor, &unit->labels);

		label->function = function;
		label->section = section;
		/*
		 * provisional until the flags are read; but the first label of a range certainly
		 * has no label before it in the range
		 */
		label->same = i;
	}
}

static void read_ranges(struct lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;
	size_t sections = read_count(cursor, 3, "more sections than bytes");

	lists->ranges.n = 0;
	unit->labels.n = 0;
	for (size_t i = 0; i < sections && !cursor->wrong; i++) {
		size_t n = read_count(cursor, 2, "more ranges than bytes");
		uint32_t *count = PUSH_OR_RETURN(cursor, &lists->ranges);

		*count = n;
		if (!cursor->wrong && !n)
			wv_cursor_fail(cursor, "section without ranges", cursor->at);
		for (size_t k = 0; k < n && !cursor->wrong; k++)
			read_range(lists, unit, i);
	}
}

static void read_entries(struct lists *lists, struct wv_unit *unit)
{
	static const uint8_t effect_of_kind[] = WEFT_EFFECT_OF_KIND;
	struct wv_cursor *cursor = &lists->cursor;
	uint32_t last = 0;

	wv_vec_for_each(label, &unit->labels)
		label->access = last =
			read_relative(cursor, last, unit->accesses.n, "access number out of range");
	wv_vec_for_each(label, &unit->labels) {
		const uint8_t *start = cursor->at;
		uint32_t flags =
			read_below(cursor, (WEFT_EFFECT_COUNT + 1) << WEFT_ENTRY_EFFECT_SHIFT,
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
static void read_fate_counts(struct lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;
	size_t functions = read_count(cursor, 2, "more functions with fates than bytes");

	for (size_t i = 0; i < functions && !cursor->wrong; i++) {
		uint32_t function = read_mention(cursor, &lists->functions);
		const uint8_t *start = cursor->at;
		size_t n = read_count(cursor, 2, "more fates than bytes");

		if (unit->fates.n + n > (size_t)(cursor->end - cursor->at))
			wv_cursor_fail(cursor, "more fates than bytes", start);
		for (; n && !cursor->wrong; n--) {
			struct wv_unit_fate *fate = PUSH_OR_RETURN(cursor, &unit->fates);

			fate->function = function;
			fate->servant = WV_NO_SERVANT;
		}
	}
}

static void read_fates(struct lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;
	uint32_t last = 0;

	unit->fates.n = 0;
	if (!unit->has_fates)
		return;
	read_fate_counts(lists, unit);
	wv_vec_for_each(fate, &unit->fates)
		fate->access = last =
			read_relative(cursor, last, unit->accesses.n, "access number out of range");
	wv_vec_for_each(fate, &unit->fates) {
		const uint8_t *start = cursor->at;
		uint32_t flags =
			read_below(cursor, WEFT_FATE_HAS_SERVANT << 1, "unknown flags of a fate");

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
			fate->servant = last = read_relative(cursor, last, unit->labels.n,
							     "servant out of range");
}

static void read_functions(struct lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;

	RESIZE_OR_RETURN(cursor, &unit->functions, lists->functions);
	wv_vec_for_each(function, &unit->functions)
		function->name = read_mention(cursor, &lists->strings);
	wv_vec_for_each(function, &unit->functions)
		function->flags = read_below(cursor, UINT32_MAX, "function flags too large");
}

static void read_fields(struct lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;

	unit->fields.n = 0;
	/* Reading a field's parent may add to lists->fields. */
	for (size_t i = 0; i < lists->fields && !cursor->wrong; i++) {
		struct wv_unit_field *field = PUSH_OR_RETURN(cursor, &unit->fields);

		field->path_kind = read_below(cursor, WEFT_PATH_COUNT, "unknown kind of path");
		if (field->path_kind == WEFT_PATH_PREFIX)
			field->up = read_mention(cursor, &lists->strings);
		else if (field->path_kind == WEFT_PATH_PARENT)
			field->up = read_mention(cursor, &lists->fields);
	}
	wv_vec_for_each(field, &unit->fields)
		field->structure = read_mention(cursor, &lists->strings);
	wv_vec_for_each(field, &unit->fields)
		field->member = read_mention(cursor, &lists->strings);
	wv_vec_for_each(field, &unit->fields)
		field->flags = read_below(cursor, UINT32_MAX, "field flags too large");
}

static void read_strings(struct lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;

	unit->strings.n = 0;
	for (size_t i = 0; i < lists->strings && !cursor->wrong; i++) {
		const char *string = wv_cursor_string(cursor);

		if (string)
			*PUSH_OR_RETURN(cursor, &unit->strings) = string;
	}
	if (!cursor->wrong && cursor->at != cursor->end)
		wv_cursor_fail(cursor, "bytes left over at the end of the lists", cursor->at);
}

/*
 * Writes the path of a field to @to, which may be NULL. Returns the path's length; 0 if the field
 * has more than @depth parents. A path begins with the struct's name, a prefix string or the
 * parent's path. Then come a dot, unless that beginning is empty, and the member.
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
		wv_cursor_fail(cursor, OUT_OF_MEMORY, cursor->end);
		return;
	}
	*unit->paths = '\0';
	*PUSH_OR_RETURN(cursor, &unit->strings) = unit->paths;
	for (size_t i = 0; i < n; i++) {
		struct wv_unit_field *field = &unit->fields.data[i];

		field->path = unit->no_path;
		if (!field->path_kind)
			continue;
		*PUSH_OR_RETURN(cursor, &unit->strings) = unit->paths + used;
		field->path = unit->strings.n - 1;
		used += spell(unit, field, unit->paths + used, WEFT_PATH_MAX) + 1;
	}
}

static void read_lists(struct lists *lists, struct wv_unit *unit)
{
	struct wv_cursor *cursor = &lists->cursor;
	size_t accessed;

	unit->compilation_directory = read_mention(cursor, &lists->strings);
	unit->main_file = read_mention(cursor, &lists->strings);
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
	/* Fields from here on are only parents of others; no access has them. */
	unit->fields.n = accessed;
}

/* Gives the labels their addresses, and removes those of sections that the linker dropped. */
static void read_addresses(struct wv_cursor *cursor, struct lists *lists,
			   struct wv_unit *unit)
{
	uint64_t base = 0, address = 0;
	uint32_t section = UINT32_MAX;
	size_t kept = 0;

	unit->nr_dropped = 0;
	for (size_t i = 0; i < unit->labels.n && !cursor->wrong; i++) {
		struct wv_unit_label *label = &unit->labels.data[i];
		const uint8_t *start = cursor->at;

		if (label->section != section) {
			section = label->section;
			base = address = wv_cursor_number(cursor, sizeof(address));
			if (!cursor->wrong && !base)
				unit->nr_dropped += lists->ranges.data[section];
		} else if (!label->same) {
			uint64_t delta = wv_cursor_uleb(cursor);

			if (delta > UINT64_MAX - address)
				wv_cursor_fail(cursor, "label beyond the address space", start);
			address += delta;
		}
		label->address = address;
		/*
		 * A dropped section has base 0. Its labels are still read, since the cursor must
		 * move past them.
		 */
		*PUSH_OR_RETURN(cursor, &lists->kept) = base ? kept : WV_NO_SERVANT;
		if (base)
			unit->labels.data[kept++] = *label;
	}
	unit->labels.n = kept;
	if (!cursor->wrong && cursor->at != cursor->end)
		wv_cursor_fail(cursor, "bytes left over at the end of the unit", cursor->at);
}

/* Renumbers the fates' servants, and removes the fates whose servant was dropped. */
static void renumber_servants(const struct lists *lists, struct wv_unit *unit)
{
	size_t kept = 0;

	for (size_t i = 0; i < unit->fates.n; i++) {
		struct wv_unit_fate fate = unit->fates.data[i];

		if (fate.servant != WV_NO_SERVANT) {
			fate.servant = lists->kept.data[fate.servant];
			if (fate.servant == WV_NO_SERVANT)
				continue;
		}
		unit->fates.data[kept++] = fate;
	}
	unit->fates.n = kept;
}

/*
 * Sets @ret to the beginning of the unit's lists, decompressed into unit->lists if necessary, and
 * moves @cursor past the bytes that store the lists.
 */
static void unpack(struct wv_cursor *cursor, struct wv_unit *unit, struct wv_cursor *ret)
{
	const uint8_t *start = cursor->at;
	uint32_t size = read_below(cursor, (uint64_t)WEFT_LISTS_MAX + 1, "lists too large");
	uint32_t packed = read_below(cursor, (uint64_t)WEFT_LISTS_MAX + 1, "lists too large");
	size_t stored = packed ? packed : size;
	uLongf unpacked = size;

	if (!cursor->wrong && stored > (size_t)(cursor->end - cursor->at))
		wv_cursor_fail(cursor, "lists are longer than the unit", start);
	if (cursor->wrong)
		return;
	ret->at = cursor->at;
	ret->end = cursor->at + size;
	cursor->at += stored;
	if (!packed)
		return;
	free(unit->lists);
	unit->lists = malloc(size + 1);
	if (!unit->lists)
		wv_cursor_fail(cursor, OUT_OF_MEMORY, start);
	else if (uncompress(unit->lists, &unpacked, ret->at, packed) != Z_OK || unpacked != size)
		wv_cursor_fail(cursor, "damaged: the lists cannot be unpacked", start);
	ret->at = unit->lists;
	ret->end = unit->lists + size;
}

static int fail(const struct wv_table *table, size_t offset, const char *what,
		struct wv_error *error)
{
	return wv_fail_at(error, WV_E_FORMAT, table->path, 0, 0,
			  "section " WEFT_TABLE_SECTION ", offset %zu: %s", offset, what);
}

/* Checks the header of the unit at table->offset. *@length_ret: bytes of the unit's body. */
static int read_header(const struct wv_table *table, uint32_t *length_ret, struct wv_error *error)
{
	const uint8_t *header = table->data + table->offset;
	size_t left = table->size - table->offset;
	uint16_t flags;

	if (left < HEADER_SIZE)
		return fail(table, table->offset, "unit header cut off", error);
	if (memcmp(header, WEFT_TABLE_MAGIC, MAGIC_SIZE))
		return fail(table, table->offset, "no unit begins here", error);
	if (header[VERSION_AT] != WEFT_TABLE_VERSION &&
	    header[VERSION_AT] != WEFT_TABLE_VERSION_NO_FATES)
		return wv_fail_at(error, WV_E_FORMAT, table->path, 0, 0,
				  "section " WEFT_TABLE_SECTION
				  ", offset %zu: table version %u, this weft reads versions %u to "
				  "%u; build the kernel with this weft's plugin",
				  table->offset, header[VERSION_AT], WEFT_TABLE_VERSION_NO_FATES,
				  WEFT_TABLE_VERSION);
	if (header[ADDRESS_SIZE_AT] != sizeof(uint64_t))
		return fail(table, table->offset, "addresses are not of 8 bytes", error);
	memcpy(&flags, header + FLAGS_AT, sizeof(flags));
	if (flags)
		return fail(table, table->offset, "unknown unit flags", error);
	memcpy(length_ret, header + LENGTH_AT, sizeof(*length_ret));
	if (*length_ret > left - HEADER_SIZE)
		return fail(table, table->offset, "unit is longer than the section", error);
	return 0;
}

void wv_table_init(struct wv_table *table, const char *path, const uint8_t *data, size_t size)
{
	*table = (struct wv_table){ .path = path, .data = data, .size = size };
}

static bool is_out_of_memory(const struct wv_cursor *cursor)
{
	return cursor->wrong && !strcmp(cursor->wrong, OUT_OF_MEMORY);
}

static int read_body(const struct wv_table *table, struct wv_unit *unit, uint32_t length,
		     struct wv_error *error)
{
	struct wv_cursor cursor = { .at = table->data + table->offset + HEADER_SIZE };
	struct lists lists = { 0 };
	const uint8_t *begin;

	cursor.end = cursor.at + length;
	unpack(&cursor, unit, &lists.cursor);
	begin = lists.cursor.at;
	if (!cursor.wrong)
		read_lists(&lists, unit);
	if (!cursor.wrong && !lists.cursor.wrong)
		read_addresses(&cursor, &lists, unit);
	if (!cursor.wrong && !lists.cursor.wrong)
		renumber_servants(&lists, unit);
	wv_vec_deinit(&lists.ranges);
	wv_vec_deinit(&lists.kept);
	if (is_out_of_memory(&cursor) || is_out_of_memory(&lists.cursor))
		return wv_fail(error, WV_E_NO_MEMORY, OUT_OF_MEMORY);
	if (cursor.wrong)
		return fail(table, cursor.wrong_at - table->data, cursor.wrong, error);
	if (lists.cursor.wrong)
		return wv_fail_at(error, WV_E_FORMAT, table->path, 0, 0,
				  "section " WEFT_TABLE_SECTION
				  ", unit at offset %zu, byte %zu of its lists: %s",
				  table->offset, (size_t)(lists.cursor.wrong_at - begin),
				  lists.cursor.wrong);
	return 0;
}

int wv_table_next(struct wv_table *table, struct wv_unit *unit, bool *more_ret,
		  struct wv_error *error)
{
	uint32_t length = 0;
	int ret;

	/* The linker may pad between units. */
	while (table->offset < table->size && !table->data[table->offset])
		table->offset++;
	*more_ret = table->offset < table->size;
	if (!*more_ret)
		return 0;
	ret = read_header(table, &length, error);
	if (ret)
		return ret;
	unit->offset = table->offset;
	unit->has_fates = table->data[table->offset + VERSION_AT] != WEFT_TABLE_VERSION_NO_FATES;
	ret = read_body(table, unit, length, error);
	if (!ret)
		table->offset += HEADER_SIZE + length;
	return ret;
}

void wv_unit_deinit(struct wv_unit *unit)
{
	wv_vec_deinit(&unit->strings);
	wv_vec_deinit(&unit->fields);
	wv_vec_deinit(&unit->functions);
	wv_vec_deinit(&unit->accesses);
	wv_vec_deinit(&unit->labels);
	wv_vec_deinit(&unit->fates);
	free(unit->lists);
	free(unit->paths);
	memset(unit, 0, sizeof(*unit));
}
