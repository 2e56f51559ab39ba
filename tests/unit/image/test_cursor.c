// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests image/cursor.c: it reads numbers and strings, and every read after an incomplete one must
 * fail.
 */
#include "cmocka-all.h"
#include "image/cursor.h"

static struct wv_cursor over(const void *bytes, size_t n)
{
	return (struct wv_cursor){ .at = bytes, .end = (const uint8_t *)bytes + n };
}

static void test_numbers(void **state)
{
	static const uint8_t bytes[] = { 1,    2,    3,	   4,	 5,    6,    7,
					 8,    9,    0xe5, 0x8e, 0x26, 0x7f, 0x80,
					 0x7f, 0x3f, 0x40, 'h',	 'i',  0,    0xff };
	struct wv_cursor cursor = over(bytes, sizeof(bytes));

	assert_int_equal(wv_cursor_number(&cursor, 1), 1);
	assert_int_equal(wv_cursor_number(&cursor, 8), 0x0908070605040302);
	assert_int_equal(wv_cursor_uleb(&cursor), 624485);
	assert_int_equal(wv_cursor_sleb(&cursor), -1);
	assert_int_equal(wv_cursor_sleb(&cursor), -128);
	assert_int_equal(wv_cursor_sleb(&cursor), 63);
	assert_int_equal(wv_cursor_sleb(&cursor), -64);
	assert_string_equal(wv_cursor_string(&cursor), "hi");
	assert_null(cursor.wrong);
	assert_int_equal(wv_cursor_uleb(&cursor), 0);
	assert_string_equal(cursor.wrong, "number cut off");
	assert_ptr_equal(cursor.wrong_at, bytes + sizeof(bytes) - 1);
}

/* Reads the largest and the smallest number, and refuses numbers that do not fit 64 bits. */
static void test_long(void **state)
{
	static const uint8_t most[] = { [0 ... 8] = 0xff, 0x01 };
	static const uint8_t least[] = { [0 ... 8] = 0x80, 0x7f };
	uint8_t bytes[20];
	struct wv_cursor cursor = over(most, sizeof(most));

	assert_int_equal(wv_cursor_uleb(&cursor), UINT64_MAX);
	assert_null(cursor.wrong);
	cursor = over(least, sizeof(least));
	assert_int_equal(wv_cursor_sleb(&cursor), INT64_MIN);
	assert_null(cursor.wrong);
	cursor = over(least, sizeof(least));
	assert_int_equal(wv_cursor_uleb(&cursor), 0); /* The number has bits beyond the 64th. */
	assert_string_equal(cursor.wrong, "number too large");
	memset(bytes, 0xff, sizeof(bytes));
	bytes[19] = 0x7f;
	cursor = over(bytes, sizeof(bytes));
	assert_int_equal(wv_cursor_sleb(&cursor), 0);
	assert_string_equal(cursor.wrong, "number too large");
	assert_ptr_equal(cursor.wrong_at, bytes);
	assert_ptr_equal(cursor.at, cursor.end);
}

/* The first error must be kept, whatever is read after it. */
static void test_wrong(void **state)
{
	static const uint8_t bytes[] = { 1, 2, 3 };
	struct wv_section section = { .data = bytes, .size = sizeof(bytes) };
	struct wv_cursor cursor = wv_cursor_at(&section, 1);

	assert_int_equal(wv_cursor_number(&cursor, 4), 0);
	assert_string_equal(cursor.wrong, "cut off");
	assert_ptr_equal(cursor.wrong_at, bytes + 1);
	assert_int_equal(wv_cursor_number(&cursor, 0), 0);
	assert_int_equal(wv_cursor_number(&cursor, 1), 0);
	assert_int_equal(wv_cursor_uleb(&cursor), 0);
	assert_int_equal(wv_cursor_sleb(&cursor), 0);
	assert_null(wv_cursor_string(&cursor));
	wv_cursor_fail(&cursor, "worse", bytes);
	assert_string_equal(cursor.wrong, "cut off");
	cursor = wv_cursor_at(&section, 0);
	assert_null(wv_cursor_string(&cursor)); /* The string has no NUL. */
	assert_string_equal(cursor.wrong, "string without an end");
	cursor = wv_cursor_at(&section, 2);
	wv_cursor_skip(&cursor, UINT64_MAX);
	assert_non_null(cursor.wrong);
	cursor = wv_cursor_at(&section, 3);
	assert_non_null(cursor.wrong);
	cursor = wv_cursor_at(NULL, 0);
	assert_non_null(cursor.wrong);
	assert_int_equal(wv_cursor_uleb(&cursor), 0);
	assert_null(wv_cursor_string(&cursor));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
