// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The reader of the plugin's table. A cursor never moves past its end; the first thing that is wrong is kept in it with
 * its offset and makes everything read after it zero, so that each list checks once, before it uses a number.
 */
#include <stdlib.h>
#include <string.h>

#include "image/table.h"

enum {
	MAGIC_SIZE = 4,
	HEADER_SIZE = 12, /* magic, version, address size, flags, length */
	VERSION_AT = 4,
	ADDRESS_SIZE_AT = 5,
	FLAGS_AT = 6,
	LENGTH_AT = 8,
	LEB_BITS = 7,
	LEB_MASK = 0x7f,
	LEB_MORE = 0x80,
	LEB_SIGN = 0x40,
};

struct cursor {
	const uint8_t *at, *end;
	const char *wrong;	  /* NULL as long as all is well */
	const uint8_t *wrong_at;
};

static void go_wrong(struct cursor *cursor, const char *what, const uint8_t *at)
{
	if (cursor->wrong)
		return;
	cursor->wrong = what;
	cursor->wrong_at = at;
	cursor->at = cursor->end;
}

static uint64_t read_uleb(struct cursor *cursor)
{
	const uint8_t *start = cursor->at;
	uint64_t value = 0;
	unsigned int shift = 0;

	/* Nearly every number of the table is one byte long. */
	if (start < cursor->end && *start < LEB_MORE) {
		cursor->at++;
		return *start;
	}
	while (cursor->at < cursor->end) {
		uint8_t byte = *cursor->at++;
		uint64_t bits = byte & LEB_MASK;

		if (shift >= 64 || (bits << shift) >> shift != bits) {
			go_wrong(cursor, "number too large", start);
			return 0;
		}
		value |= bits << shift;
		if (!(byte & LEB_MORE))
			return value;
		shift += LEB_BITS;
	}
	go_wrong(cursor, "number cut off", start);
	return 0;
}

static int64_t read_sleb(struct cursor *cursor)
{
	const uint8_t *start = cursor->at;
	uint64_t value = 0;
	unsigned int shift = 0;

	while (cursor->at < cursor->end) {
		uint8_t byte = *cursor->at++;

		if (shift >= 64) {
			go_wrong(cursor, "number too large", start);
			return 0;
		}
		value |= (uint64_t)(byte & LEB_MASK) << shift;
		shift += LEB_BITS;
		if (!(byte & LEB_MORE)) {
			if ((byte & LEB_SIGN) && shift < 64)
				value |= UINT64_MAX << shift;
			return (int64_t)value;
		}
	}
	go_wrong(cursor, "number cut off", start);
	return 0;
}

/* A number that must be less than @limit; @what says which one was not. */
static uint32_t read_below(struct cursor *cursor, uint64_t limit, const char *what)
{
	const uint8_t *start = cursor->at;
	uint64_t value = read_uleb(cursor);

	if (!cursor->wrong && value >= limit)
		go_wrong(cursor, what, start);
	return cursor->wrong ? 0 : value;
}

/*
 * A count of things that take at least @bytes bytes each: more than the rest of the unit can hold is
 * wrong right here, before anybody makes room for them.
 */
static size_t read_count(struct cursor *cursor, size_t bytes, const char *what)
{
	const uint8_t *start = cursor->at;
	uint64_t count = read_uleb(cursor);

	if (!cursor->wrong && count > (uint64_t)(cursor->end - cursor->at) / bytes)
		go_wrong(cursor, what, start);
	return cursor->wrong ? 0 : count;
}

#define OUT_OF_MEMORY "out of memory"

/* A new element of a vector, or `return` with the cursor gone wrong. */
#define PUSH_OR_RETURN(cursor, vec)                                        \
	({                                                                 \
		__auto_type pushed = wv_vec_push(vec);                     \
		if (!pushed) {                                             \
			go_wrong(cursor, OUT_OF_MEMORY, (cursor)->at);     \
			return;                                            \
		}                                                          \
		pushed;                                                    \
	})

static uint32_t read_string(struct cursor *cursor, const struct wv_unit *unit)
{
	return read_below(cursor, unit->strings.n, "string number out of range");
}

static void read_strings(struct cursor *cursor, struct wv_unit *unit)
{
	size_t n = read_count(cursor, 1, "more strings than bytes");

	unit->strings.n = 0;
	for (size_t i = 0; i < n; i++) {
		const uint8_t *nul = memchr(cursor->at, 0, cursor->end - cursor->at);
		const char **string;

		if (!nul) {
			go_wrong(cursor, "string without an end", cursor->at);
			return;
		}
		string = PUSH_OR_RETURN(cursor, &unit->strings);
		*string = (const char *)cursor->at;
		cursor->at = nul + 1;
	}
	unit->compilation_directory = read_string(cursor, unit);
	unit->main_file = read_string(cursor, unit);
}

static void read_fields(struct cursor *cursor, struct wv_unit *unit)
{
	size_t n = read_count(cursor, 4, "more fields than bytes");

	unit->fields.n = 0;
	for (size_t i = 0; i < n && !cursor->wrong; i++) {
		struct wv_unit_field *field = PUSH_OR_RETURN(cursor, &unit->fields);

		field->structure = read_string(cursor, unit);
		field->member = read_string(cursor, unit);
		field->path = read_string(cursor, unit);
		field->flags = read_below(cursor, UINT32_MAX, "field flags too large");
	}
}

static void read_functions(struct cursor *cursor, struct wv_unit *unit)
{
	size_t n = read_count(cursor, 2, "more functions than bytes");

	unit->functions.n = 0;
	for (size_t i = 0; i < n && !cursor->wrong; i++) {
		struct wv_unit_function *function = PUSH_OR_RETURN(cursor, &unit->functions);

		function->name = read_string(cursor, unit);
		function->flags = read_below(cursor, UINT32_MAX, "function flags too large");
	}
}

static void read_record(struct cursor *cursor, const struct wv_unit *unit, int64_t *line,
			struct wv_unit_record *record)
{
	const uint8_t *start;
	uint32_t kind_flags;

	record->field = read_below(cursor, unit->fields.n, "field number out of range");
	start = cursor->at;
	kind_flags = read_below(cursor, WEFT_RECORD_MACRO << 1, "unknown record flags");
	record->kind = kind_flags & WEFT_RECORD_KIND_MASK;
	record->has_macro = kind_flags & WEFT_RECORD_MACRO;
	if (record->kind >= WEFT_KIND_COUNT)
		go_wrong(cursor, "unknown kind of record", start);
	record->function = read_below(cursor, unit->functions.n, "function number out of range");
	record->file = read_string(cursor, unit);
	start = cursor->at;
	/* In unsigned arithmetic, where a hostile sum wraps round instead of being undefined. */
	*line = (int64_t)((uint64_t)*line + (uint64_t)read_sleb(cursor));
	if (!cursor->wrong && (*line < 0 || *line > INT32_MAX))
		go_wrong(cursor, "line out of range", start);
	record->line = *line;
	record->column = read_below(cursor, INT32_MAX, "column too large");
	if (!record->has_macro)
		return;
	record->macro = read_string(cursor, unit);
	record->spelling_file = read_string(cursor, unit);
	record->spelling_line = read_below(cursor, INT32_MAX, "line too large");
	record->spelling_column = read_below(cursor, INT32_MAX, "column too large");
}

static void read_records(struct cursor *cursor, struct wv_unit *unit)
{
	size_t n = read_count(cursor, 6, "more records than bytes");
	int64_t line = 0;

	unit->records.n = 0;
	for (size_t i = 0; i < n && !cursor->wrong; i++)
		read_record(cursor, unit, &line, PUSH_OR_RETURN(cursor, &unit->records));
}

static uint64_t read_address(struct cursor *cursor)
{
	uint64_t address;

	if ((size_t)(cursor->end - cursor->at) < sizeof(address)) {
		go_wrong(cursor, "address cut off", cursor->at);
		return 0;
	}
	memcpy(&address, cursor->at, sizeof(address));
	cursor->at += sizeof(address);
	return address;
}

static void read_range(struct cursor *cursor, struct wv_unit *unit)
{
	uint32_t function = read_below(cursor, unit->functions.n, "function number out of range");
	size_t n = read_count(cursor, 2, "more labels than bytes");
	uint64_t base = read_address(cursor), address = base;

	if (!cursor->wrong && !base)
		unit->nr_dropped++;
	for (size_t i = 0; i < n && !cursor->wrong; i++) {
		const uint8_t *start = cursor->at;
		uint64_t delta = read_uleb(cursor), record;
		struct wv_unit_label *label;
		unsigned int use;

		if (delta > UINT64_MAX - address)
			go_wrong(cursor, "label beyond the address space", start);
		address += delta;
		start = cursor->at;
		record = read_uleb(cursor);
		use = record & ((1u << WEFT_USE_BITS) - 1);
		record >>= WEFT_USE_BITS;
		if (use >= WEFT_USE_COUNT)
			go_wrong(cursor, "unknown use of a label", start);
		if (record >= unit->records.n)
			go_wrong(cursor, "record number out of range", start);
		/* The linker dropped the function: its labels are read for the checks only. */
		if (cursor->wrong || !base)
			continue;
		label = PUSH_OR_RETURN(cursor, &unit->labels);
		label->address = address;
		label->record = record;
		label->function = function;
		label->use = use;
	}
}

static void read_ranges(struct cursor *cursor, struct wv_unit *unit)
{
	size_t n = read_count(cursor, 2 + sizeof(uint64_t), "more ranges than bytes");

	unit->labels.n = 0;
	unit->nr_dropped = 0;
	for (size_t i = 0; i < n && !cursor->wrong; i++)
		read_range(cursor, unit);
}

static int fail(const struct wv_table *table, size_t offset, const char *what,
		struct wv_error *error)
{
	return wv_fail_at(error, WV_E_FORMAT, table->path, 0, 0,
			  "section " WEFT_TABLE_SECTION ", offset %zu: %s", offset, what);
}

/* Checks the header of the unit at the table's offset. */
static int read_header(const struct wv_table *table, uint32_t *length_ret, struct wv_error *error)
{
	const uint8_t *header = table->data + table->offset;
	size_t left = table->size - table->offset;
	uint16_t flags;

	if (left < HEADER_SIZE)
		return fail(table, table->offset, "unit header cut off", error);
	if (memcmp(header, WEFT_TABLE_MAGIC, MAGIC_SIZE))
		return fail(table, table->offset, "no unit begins here", error);
	if (header[VERSION_AT] != WEFT_TABLE_VERSION)
		return wv_fail_at(error, WV_E_FORMAT, table->path, 0, 0,
				  "section " WEFT_TABLE_SECTION
				  ", offset %zu: table version %u, this weft reads version %u; build the kernel with this weft's plugin",
				  table->offset, header[VERSION_AT], WEFT_TABLE_VERSION);
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

int wv_table_next(struct wv_table *table, struct wv_unit *unit, bool *more_ret,
		  struct wv_error *error)
{
	struct cursor cursor = { 0 };
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
	cursor.at = table->data + table->offset + HEADER_SIZE;
	cursor.end = cursor.at + length;
	read_strings(&cursor, unit);
	read_fields(&cursor, unit);
	read_functions(&cursor, unit);
	read_records(&cursor, unit);
	read_ranges(&cursor, unit);
	if (!cursor.wrong && cursor.at != cursor.end)
		go_wrong(&cursor, "bytes left over at the end of the unit", cursor.at);
	if (cursor.wrong && !strcmp(cursor.wrong, OUT_OF_MEMORY))
		return wv_fail(error, WV_E_NO_MEMORY, OUT_OF_MEMORY);
	if (cursor.wrong)
		return fail(table, cursor.wrong_at - table->data, cursor.wrong, error);
	table->offset += HEADER_SIZE + length;
	return 0;
}

void wv_unit_deinit(struct wv_unit *unit)
{
	wv_vec_deinit(&unit->strings);
	wv_vec_deinit(&unit->fields);
	wv_vec_deinit(&unit->functions);
	wv_vec_deinit(&unit->records);
	wv_vec_deinit(&unit->labels);
	memset(unit, 0, sizeof(*unit));
}
