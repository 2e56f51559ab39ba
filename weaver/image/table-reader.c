// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the plugin's joinpoint table, unit by unit; see table-reader.h. A unit consists of a
 * header, the lists (table-lists.c), which may be compressed, and the addresses of the labels.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "image/table-lists.h"
#include "image/table-numbers.h"
#include "image/table-reader.h"

enum {
	MAGIC_SIZE = 4,
	HEADER_SIZE = 12, /* magic, version, address size, flags, length */
	VERSION_AT = 4,
	ADDRESS_SIZE_AT = 5,
	FLAGS_AT = 6,
	LENGTH_AT = 8,
};

/* Gives the labels their addresses, and removes those of sections that the linker dropped. */
static void read_addresses(struct wv_cursor *cursor, struct wv_table_lists *lists,
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
		*WV_PUSH_OR_RETURN(cursor, &lists->kept) = base ? kept : WV_NO_SERVANT;
		if (base)
			unit->labels.data[kept++] = *label;
	}
	unit->labels.n = kept;
	if (!cursor->wrong && cursor->at != cursor->end)
		wv_cursor_fail(cursor, "bytes left over at the end of the unit", cursor->at);
}

/* Renumbers the fates' servants, and removes the fates whose servant was dropped. */
static void renumber_servants(const struct wv_table_lists *lists, struct wv_unit *unit)
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
	uint32_t size = wv_table_below(cursor, (uint64_t)WEFT_LISTS_MAX + 1, "lists too large");
	uint32_t packed = wv_table_below(cursor, (uint64_t)WEFT_LISTS_MAX + 1, "lists too large");
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
		wv_cursor_fail(cursor, WV_OUT_OF_MEMORY, start);
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
	return cursor->wrong && !strcmp(cursor->wrong, WV_OUT_OF_MEMORY);
}

static int read_body(const struct wv_table *table, struct wv_unit *unit, uint32_t length,
		     struct wv_error *error)
{
	struct wv_cursor cursor = { .at = table->data + table->offset + HEADER_SIZE };
	struct wv_table_lists lists = { 0 };
	const uint8_t *begin;

	cursor.end = cursor.at + length;
	unpack(&cursor, unit, &lists.cursor);
	begin = lists.cursor.at;
	if (!cursor.wrong)
		wv_table_lists_read(&lists, unit);
	if (!cursor.wrong && !lists.cursor.wrong)
		read_addresses(&cursor, &lists, unit);
	if (!cursor.wrong && !lists.cursor.wrong)
		renumber_servants(&lists, unit);
	wv_vec_deinit(&lists.ranges);
	wv_vec_deinit(&lists.kept);
	if (is_out_of_memory(&cursor) || is_out_of_memory(&lists.cursor))
		return wv_fail(error, WV_E_NO_MEMORY, WV_OUT_OF_MEMORY);
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
