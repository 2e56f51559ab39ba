// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes units of the joinpoint table (declared in unit-writer.h). */
#include <zlib.h>

#include "cmocka-all.h"
#include "runtime/joinpoint-table.h"
#include "unit-writer.h"

#define LENGTH_AT 8
#define HEADER_SIZE 12

void put_bytes(struct unit_writer *writer, const void *bytes, size_t n)
{
	assert_true(n <= sizeof(writer->bytes) - writer->n);
	memcpy(writer->bytes + writer->n, bytes, n);
	writer->n += n;
}

void put_uleb(struct unit_writer *writer, uint64_t value)
{
	do {
		uint8_t byte = value & 0x7f;

		value >>= 7;
		byte |= value ? 0x80 : 0;
		put_bytes(writer, &byte, 1);
	} while (value);
}

void put_sleb(struct unit_writer *writer, int64_t value)
{
	for (;;) {
		uint8_t byte = value & 0x7f;

		value >>= 7; /* This shift is arithmetic. */
		if ((!value && !(byte & 0x40)) || (value == -1 && (byte & 0x40))) {
			put_bytes(writer, &byte, 1);
			return;
		}
		byte |= 0x80;
		put_bytes(writer, &byte, 1);
	}
}

void put_address(struct unit_writer *writer, uint64_t address)
{
	put_bytes(writer, &address, sizeof(address));
}

void put_strings(struct unit_writer *writer, const char *const *strings, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put_bytes(writer, strings[i], strlen(strings[i]) + 1);
}

size_t unit_begin(struct unit_writer *writer)
{
	const uint8_t rest[] = { WEFT_TABLE_VERSION, 8, 0, 0, 0, 0, 0, 0 };
	size_t start = writer->n;

	put_bytes(writer, WEFT_TABLE_MAGIC, 4);
	put_bytes(writer, rest, sizeof(rest));
	return start;
}

void unit_end(struct unit_writer *writer, size_t start)
{
	uint32_t length = writer->n - start - HEADER_SIZE;

	memcpy(writer->bytes + start + LENGTH_AT, &length, sizeof(length));
}

void put_lists(struct unit_writer *writer, const struct unit_writer *lists, bool packed)
{
	uint8_t bytes[sizeof(writer->bytes)];
	uLongf size = sizeof(bytes);

	put_uleb(writer, lists->n);
	if (packed) {
		assert_int_equal(compress(bytes, &size, lists->bytes, lists->n), Z_OK);
		put_uleb(writer, size);
		put_bytes(writer, bytes, size);
	} else {
		put_uleb(writer, 0);
		put_bytes(writer, lists->bytes, lists->n);
	}
}

/*
 * A unit's lists refer to elements by small numbers: NEW is the next element that was not mentioned
 * yet, and BACK(n) the n-th element before that.
 */
#define NEW 0
#define BACK(n) (n)
#define USE(use) (((use) + 1) << WEFT_ENTRY_EFFECT_SHIFT)

void put_sample_lists(struct unit_writer *writer)
{
	/* The strings in the order in which they are first mentioned. */
	static const char *const strings[] = { "/k", "a.c", "M", "m.h", "f", "",
					       "s",  "t",   "a", "b",	"in" };

	put_ulebs(writer, NEW, NEW);
	/* Two accesses: their functions, files, kinds, lines, columns, fields. */
	put_ulebs(writer, 2, /**/ NEW, NEW, /**/ BACK(1), BACK(1));
	put_ulebs(writer, WEFT_KIND_GET | WEFT_ACCESS_MACRO, WEFT_KIND_SET);
	put_sleb(writer, 300);
	put_sleb(writer, -100);
	put_ulebs(writer, 7, 200, /**/ NEW, NEW);
	/* The macro of the first access. */
	put_ulebs(writer, WEFT_SPELLING_FULL, /**/ NEW, /**/ NEW);
	put_sleb(writer, 20);
	put_uleb(writer, 3);
	/* Two sections with one range each, and three entries in all. */
	put_ulebs(writer, 2, /**/ 1, BACK(2), 2, /**/ 1, BACK(1), 1);
	put_sleb(writer, 0);
	put_sleb(writer, 1);
	put_sleb(writer, 0);
	put_ulebs(writer, 0, 0, USE(WEFT_EFFECT_RMW));
	/*
	 * The fates of accesses in f: the first is coalesced, with the servant that has the second
	 * label; the other is dead.
	 */
	put_ulebs(writer, 1, /**/ BACK(2), 2);
	put_sleb(writer, 0);
	put_sleb(writer, 1);
	put_ulebs(writer, WEFT_FATE_COALESCED | WEFT_FATE_HAS_SERVANT, WEFT_FATE_DEAD);
	put_sleb(writer, 1);
	/* The functions f and "". */
	put_ulebs(writer, NEW, NEW, /**/ WEFT_FUNCTION_STATIC, 0);
	/* The fields s.a, t.b in s.in, and s.in, which is there only as the parent of t.b. */
	put_ulebs(writer, WEFT_PATH_PLAIN, WEFT_PATH_PARENT, NEW, WEFT_PATH_PLAIN);
	put_ulebs(writer, NEW, NEW, BACK(2));
	put_ulebs(writer, NEW, NEW, NEW);
	put_ulebs(writer, 0, WEFT_FIELD_BITFIELD, 0);
	put_strings(writer, strings, sizeof(strings) / sizeof(strings[0]));
}

static void put_whole_unit(struct unit_writer *writer, uint64_t first, uint64_t second, bool packed)
{
	size_t start = unit_begin(writer);
	struct unit_writer lists = { 0 };

	put_sample_lists(&lists);
	put_lists(writer, &lists, packed);
	put_address(writer, first);
	put_uleb(writer, 130);
	put_address(writer, second);
	unit_end(writer, start);
}

void put_sample_unit(struct unit_writer *writer, uint64_t first, uint64_t second)
{
	put_whole_unit(writer, first, second, false);
}

void put_packed_sample_unit(struct unit_writer *writer, uint64_t first, uint64_t second)
{
	put_whole_unit(writer, first, second, true);
}
