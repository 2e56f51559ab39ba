/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that write units of the joinpoint table number by number, valid and invalid ones. */
#ifndef WEFT_TESTS_UNIT_WRITER_H
#define WEFT_TESTS_UNIT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unit_writer {
	uint8_t bytes[4096];
	size_t n;
};

void put_bytes(struct unit_writer *writer, const void *bytes, size_t n);
void put_uleb(struct unit_writer *writer, uint64_t value);
void put_sleb(struct unit_writer *writer, int64_t value);
void put_address(struct unit_writer *writer, uint64_t address);

/* Writes several small numbers one after the other: put_ulebs(w, 1, 2, 3). */
#define put_ulebs(writer, ...)                                                            \
	do {                                                                              \
		const uint64_t numbers[] = { __VA_ARGS__ };                               \
		for (size_t number = 0; number < sizeof(numbers) / sizeof(numbers[0]); number++) \
			put_uleb((writer), numbers[number]);                              \
	} while (0)

/* Writes NUL-terminated strings. */
void put_strings(struct unit_writer *writer, const char *const *strings, size_t n);

/* Writes the sizes that come before the lists, and the lists: plain or packed. */
void put_lists(struct unit_writer *writer, const struct unit_writer *lists, bool packed);

/*
 * Begins a unit with its header; unit_end() writes the length into the header of the unit that
 * began at @start.
 */
size_t unit_begin(struct unit_writer *writer);
void unit_end(struct unit_writer *writer, size_t start);

/*
 * Writes a whole unit: a get of s.a with a macro, in the function f; a set of s.in.b, the member b
 * of a struct t, in the function ""; two ranges in two sections; and two fates. The first range is
 * at @first, the second at @second: 0 says that the linker dropped it. put_sample_lists() writes
 * the lists of that unit alone, put_packed_sample_unit() the unit with packed lists.
 */
void put_sample_unit(struct unit_writer *writer, uint64_t first, uint64_t second);
void put_sample_lists(struct unit_writer *writer);
void put_packed_sample_unit(struct unit_writer *writer, uint64_t first, uint64_t second);

#endif /* WEFT_TESTS_UNIT_WRITER_H */
