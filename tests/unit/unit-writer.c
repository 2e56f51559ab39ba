// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes units of the joinpoint table; see unit-writer.h. */
#include "cmocka-all.h"
#include "gcc-plugin/table.h"
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

		value >>= 7; /* arithmetic */
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
	put_uleb(writer, n);
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

void put_sample_unit(struct unit_writer *writer, uint64_t first, uint64_t second)
{
	static const char *const strings[] = { "", "/k", "a.c", "s", "a", "b", "s.in.b", "f", "M",
					       "m.h" };
	size_t start = unit_begin(writer);

	put_strings(writer, strings, 10);
	put_ulebs(writer, 1, 2);
	put_ulebs(writer, 2, /**/ 3, 4, 0, 0, /**/ 3, 5, 6, WEFT_FIELD_BITFIELD);
	put_ulebs(writer, 2, /**/ 7, WEFT_FUNCTION_STATIC, /**/ 0, 0);
	put_uleb(writer, 2);
	put_ulebs(writer, 0, WEFT_KIND_GET | WEFT_RECORD_MACRO, 0, 2);
	put_sleb(writer, 300);
	put_ulebs(writer, 7, /**/ 8, 9, 20, 3);
	put_ulebs(writer, 1, WEFT_KIND_SET, 1, 2);
	put_sleb(writer, -100);
	put_uleb(writer, 200);
	put_uleb(writer, 2);
	put_ulebs(writer, 0, 2);
	put_address(writer, first);
	put_ulebs(writer, 0, 0 << WEFT_USE_BITS | WEFT_USE_LOAD);
	put_ulebs(writer, 130, 1 << WEFT_USE_BITS | WEFT_USE_STORE);
	put_ulebs(writer, 1, 1);
	put_address(writer, second);
	put_ulebs(writer, 0, 1 << WEFT_USE_BITS | WEFT_USE_RMW);
	unit_end(writer, start);
}
