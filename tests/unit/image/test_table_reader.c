// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests image/table-reader.c, which must read a unit and refuse damaged units without harm. */
#include <stdlib.h>

#include "cmocka-all.h"
#include "image/table-reader.h"
#include "unit-writer.h"

#define FIRST 0xffffffff81000000
#define SECOND 0xffffffff81002000

/*
 * Reads all units of a table; @unit gets the last one. The bytes are copied to the end of a piece
 * of memory of their own, so that ASAN notices a read beyond the end.
 */
static int read_all(const struct unit_writer *writer, size_t n, struct wv_unit *unit,
		    struct wv_error *error)
{
	uint8_t *bytes = malloc(n ? n : 1);
	struct wv_table table;
	bool more = true;
	int ret = 0;

	memcpy(bytes, writer->bytes, n);
	wv_table_init(&table, "vmlinux", bytes, n);
	while (!ret && more)
		ret = wv_table_next(&table, unit, &more, error);
	/* unit->strings points into the bytes, which are freed here. */
	unit->strings.n = 0;
	free(bytes);
	return ret;
}

static void check_sample(const struct unit_writer *writer)
{
	struct wv_unit unit = { 0 };
	struct wv_error error;
	struct wv_table table;
	bool more;

	wv_table_init(&table, "vmlinux", writer->bytes, writer->n);
	assert_int_equal(wv_table_next(&table, &unit, &more, &error), 0);
	assert_true(more);
	assert_string_equal(unit.strings.data[unit.compilation_directory], "/k");
	assert_string_equal(unit.strings.data[unit.main_file], "a.c");
	assert_int_equal(unit.fields.n, 2);
	assert_string_equal(unit.strings.data[unit.fields.data[1].path], "s.in.b");
	assert_string_equal(unit.strings.data[unit.fields.data[1].structure], "t");
	assert_string_equal(unit.strings.data[unit.fields.data[0].path], "");
	assert_int_equal(unit.fields.data[1].flags, WEFT_FIELD_BITFIELD);
	assert_int_equal(unit.functions.n, 2);
	assert_int_equal(unit.functions.data[0].flags, WEFT_FUNCTION_STATIC);
	assert_int_equal(unit.accesses.n, 2);
	assert_int_equal(unit.accesses.data[0].line, 300);
	assert_true(unit.accesses.data[0].has_macro);
	assert_string_equal(unit.strings.data[unit.accesses.data[0].macro], "M");
	assert_string_equal(unit.strings.data[unit.accesses.data[0].spelling_file], "m.h");
	assert_int_equal(unit.accesses.data[0].spelling_line, 20);
	assert_int_equal(unit.accesses.data[0].spelling_column, 3);
	assert_int_equal(unit.accesses.data[1].line, 200);
	assert_int_equal(unit.accesses.data[1].column, 200);
	assert_int_equal(unit.accesses.data[1].kind, WEFT_KIND_SET);
	assert_false(unit.accesses.data[1].has_macro);
	assert_int_equal(unit.labels.n, 3);
	assert_true(unit.labels.data[0].address == FIRST);
	assert_true(unit.labels.data[1].address == FIRST + 130);
	assert_int_equal(unit.labels.data[0].effect, WEFT_EFFECT_LOAD);
	assert_int_equal(unit.labels.data[1].effect, WEFT_EFFECT_STORE);
	assert_int_equal(unit.labels.data[2].effect, WEFT_EFFECT_RMW);
	assert_true(unit.labels.data[2].address == SECOND);
	assert_int_equal(unit.labels.data[2].function, 1);
	assert_int_equal(unit.nr_dropped, 0);
	assert_true(unit.has_fates);
	assert_int_equal(unit.fates.n, 2);
	assert_int_equal(unit.fates.data[0].access, 0);
	assert_int_equal(unit.fates.data[0].fate, WEFT_FATE_COALESCED);
	assert_int_equal(unit.fates.data[0].servant, 1);
	assert_int_equal(unit.fates.data[1].access, 1);
	assert_int_equal(unit.fates.data[1].fate, WEFT_FATE_DEAD);
	assert_int_equal(unit.fates.data[1].servant, WV_NO_SERVANT);
	assert_int_equal(wv_table_next(&table, &unit, &more, &error), 0);
	assert_false(more);
	wv_unit_deinit(&unit);
}

static void test_well_formed(void **state)
{
	struct unit_writer plain = { 0 }, packed = { 0 };

	put_sample_unit(&plain, FIRST, SECOND);
	check_sample(&plain);
	put_packed_sample_unit(&packed, FIRST, SECOND);
	check_sample(&packed);
}

static void test_sequence(void **state)
{
	static const uint8_t padding[5] = { 0 };
	struct unit_writer writer = { 0 };
	struct wv_unit unit = { 0 };
	struct wv_error error;

	put_sample_unit(&writer, FIRST, 0);
	put_bytes(&writer, padding, sizeof(padding));
	put_sample_unit(&writer, SECOND, 0);
	put_bytes(&writer, padding, sizeof(padding));
	assert_int_equal(read_all(&writer, writer.n, &unit, &error), 0);
	assert_int_equal(unit.nr_dropped, 1);
	assert_int_equal(unit.labels.n, 2);
	assert_true(unit.labels.data[0].address == SECOND);
	assert_int_equal(unit.fates.n, 2);
	assert_int_equal(unit.fates.data[0].servant, 1);
	assert_int_equal(read_all(&writer, 0, &unit, &error), 0);
	wv_unit_deinit(&unit);
}

/*
 * A unit that is cut off after any byte must be refused; the message must name the file and the
 * offset.
 */
static void test_truncated(void **state)
{
	struct unit_writer writer = { 0 };
	struct wv_unit unit = { 0 };

	put_sample_unit(&writer, FIRST, SECOND);
	for (size_t n = 1; n < writer.n; n++) {
		struct wv_error error = { 0 };

		assert_int_equal(read_all(&writer, n, &unit, &error), -WV_E_FORMAT);
		assert_string_equal(error.file, "vmlinux");
		assert_contains(error.message, "offset 0");
	}
	/*
	 * Here the header has the length of the truncated unit, so that the reader gets as far as
	 * the lists and finds their end.
	 */
	for (size_t n = 12; n < writer.n; n++) {
		struct unit_writer cut = writer;
		struct wv_error error = { 0 };

		cut.n = n;
		unit_end(&cut, 0);
		assert_int_equal(read_all(&cut, n, &unit, &error), -WV_E_FORMAT);
		assert_contains(error.message, ", offset ");
	}
	wv_unit_deinit(&unit);
}

/*
 * Sets each byte of a unit to each value. The reader must not crash, and in a unit that it accepts
 * all numbers must be in range.
 */
static void test_flipped(void **state)
{
	struct unit_writer writer = { 0 };
	struct wv_unit unit = { 0 };
	size_t accepted = 0;

	put_sample_unit(&writer, FIRST, SECOND);
	for (size_t at = 0; at < writer.n; at++) {
		for (unsigned int value = 0; value <= UINT8_MAX; value++) {
			struct unit_writer flipped = writer;
			struct wv_error error = { 0 };

			flipped.bytes[at] = value;
			if (read_all(&flipped, flipped.n, &unit, &error)) {
				assert_int_equal(error.code, WV_E_FORMAT);
				continue;
			}
			accepted++;
			wv_vec_for_each(label, &unit.labels)
				assert_true(label->access < unit.accesses.n &&
					    label->function < unit.functions.n);
			wv_vec_for_each(access, &unit.accesses)
				assert_true(access->field < unit.fields.n &&
					    access->function < unit.functions.n &&
					    access->kind < WEFT_KIND_COUNT);
		}
	}
	assert_true(accepted > writer.n);
	wv_unit_deinit(&unit);
}

/*
 * Flips a bit of each byte of packed lists, which must be noticed. Then changes up to eight bytes
 * of a plain unit at random, from a fixed seed.
 */
static void test_random(void **state)
{
	struct unit_writer writer = { 0 };
	struct wv_unit unit = { 0 };

	put_packed_sample_unit(&writer, FIRST, SECOND);
	for (size_t at = 14; at < writer.n - 18; at++) {
		struct unit_writer flipped = writer;
		struct wv_error error = { 0 };

		flipped.bytes[at] ^= 1;
		assert_int_equal(read_all(&flipped, flipped.n, &unit, &error), -WV_E_FORMAT);
		assert_contains(error.message, "damaged: the lists cannot be unpacked");
	}
	writer.n = 0;
	put_sample_unit(&writer, FIRST, SECOND);
	srand(1);
	for (int round = 0; round < 100000; round++) {
		struct unit_writer flipped = writer;
		struct wv_error error = { 0 };

		for (int k = 0; k < 1 + round % 8; k++)
			flipped.bytes[12 + rand() % (writer.n - 12)] = rand();
		if (read_all(&flipped, flipped.n, &unit, &error))
			assert_int_equal(error.code, WV_E_FORMAT);
	}
	wv_unit_deinit(&unit);
}

static void refuse(const struct unit_writer *writer, const char *words)
{
	struct wv_unit unit = { 0 };
	struct wv_error error = { 0 };

	assert_int_equal(read_all(writer, writer->n, &unit, &error), -WV_E_FORMAT);
	assert_contains(error.message, words);
	wv_unit_deinit(&unit);
}

/* A unit with only these lists must be refused. */
static void refuse_lists(const uint8_t *bytes, size_t n, const char *words)
{
	struct unit_writer lists = { 0 }, writer = { 0 };
	size_t start = unit_begin(&writer);

	put_bytes(&lists, bytes, n);
	put_lists(&writer, &lists, false);
	unit_end(&writer, start);
	refuse(&writer, words);
}

static void test_messages(void **state)
{
	struct unit_writer writer = { 0 }, changed;

	put_sample_unit(&writer, FIRST, SECOND);
	changed = writer;
	changed.bytes[0] = 'X';
	refuse(&changed, "no unit begins here");
	changed = writer;
	changed.bytes[4] = 1;
	refuse(&changed, "table version 1, this weft reads versions 2 to 3; build the kernel with "
			 "this weft's plugin");
	changed = writer;
	changed.bytes[5] = 4;
	refuse(&changed, "addresses are not of 8 bytes");
	changed = writer;
	changed.bytes[6] = 1;
	refuse(&changed, "unknown unit flags");
	put_bytes(&writer, "\0\0\0junk", 7);
	refuse(&writer, "unit header cut off");

	refuse_lists((const uint8_t[]){ 0, 0, 0xff, 0xff, 0xff, 0x0f }, 6,
		     "byte 2 of its lists: more accesses than bytes");
	refuse_lists((const uint8_t[]){ 0, 1, 1 }, 3, "more accesses than bytes");
	refuse_lists((const uint8_t[]){ 2 }, 1,
		     "byte 0 of its lists: mention of what was not mentioned before");
	refuse_lists((const uint8_t *)"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12,
		     "number too large");
	refuse_lists((const uint8_t[]){ 0, 0, 0, 0, 0, 'a', 0, 'b' }, 8, "string without an end");
	refuse_lists((const uint8_t[]){ 0, 0, 0, 0, 0, 'a', 0, 'b', 0, 'c' }, 10,
		     "bytes left over at the end of the lists");
	refuse_lists((const uint8_t[]){ 0, 0, 0, 1, 1, 0, 0, 0 }, 8, "range without labels");
	refuse_lists((const uint8_t[]){ 0, 0, 0, 0, 9, 0, 0, 0 }, 8,
		     "more functions with fates than bytes");
	refuse_lists((const uint8_t[]){ 0, 0, 0, 0, 1, 0, 9, 0 }, 8, "more fates than bytes");
	refuse_lists((const uint8_t[]){ 0, 0, 0, 0, 1, 0, 1, 0, 0, 0 }, 10,
		     "access number out of range");
}

/* Tests errors outside of the lists: in their sizes, and in the unit's header. */
static void test_envelope(void **state)
{
	struct unit_writer writer = { 0 };
	size_t start = unit_begin(&writer);

	put_ulebs(&writer, (uint64_t)WEFT_LISTS_MAX + 1, 0);
	unit_end(&writer, start);
	refuse(&writer, "offset 12: lists too large");

	writer.n = 0;
	start = unit_begin(&writer);
	put_ulebs(&writer, 100, 0, 1, 2, 3);
	unit_end(&writer, start);
	refuse(&writer, "lists are longer than the unit");

	writer.n = 0;
	start = unit_begin(&writer);
	put_ulebs(&writer, 5, 0, 0, 0, 0, 0, 0);
	put_strings(&writer, (const char *const[]){ "a", "b", "c" }, 3);
	unit_end(&writer, start);
	refuse(&writer, "string without an end");

	writer.n = 0;
	put_sample_unit(&writer, FIRST, SECOND);
	put_uleb(&writer, 77);
	unit_end(&writer, 0);
	refuse(&writer, "bytes left over at the end of the unit");
}

/*
 * These must be refused: an address beyond the end of the address space, a sum of lines that
 * overflows, a field that is its own parent.
 */
static void test_overflow(void **state)
{
	struct unit_writer lists = { 0 }, writer = { 0 };
	size_t start;

	put_sample_unit(&writer, UINT64_MAX - 5, SECOND);
	refuse(&writer, "beyond the address space");

	/* The two accesses are in one file, and their lines are too far apart. */
	put_ulebs(&lists, 0, 0, 2, /**/ 0, 1, /**/ 1, 1, /**/ 0, 0);
	put_sleb(&lists, INT32_MAX - 1);
	put_sleb(&lists, INT64_MAX);
	refuse_lists(lists.bytes, lists.n, "line out of range");

	/* The only access has a field that is its own parent. */
	lists.n = 0;
	put_ulebs(&lists, 0, 0, 1, 0, 1, 0, 0, 0, 0, /* ranges, fates */ 0, 0, 0, 0);
	put_ulebs(&lists, WEFT_PATH_PARENT, 1, /* names */ 3, 2, 0);
	put_strings(&lists, (const char *const[]){ "d", "f", "s" }, 3);
	start = unit_begin(&writer);
	writer.n = 0;
	start = unit_begin(&writer);
	put_lists(&writer, &lists, true);
	unit_end(&writer, start);
	refuse(&writer, "path of too many members");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_well_formed), cmocka_unit_test(test_sequence),
		cmocka_unit_test(test_truncated),   cmocka_unit_test(test_flipped),
		cmocka_unit_test(test_random),	    cmocka_unit_test(test_messages),
		cmocka_unit_test(test_overflow),    cmocka_unit_test(test_envelope),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
