// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests small parts of weaver/base: strings, interned strings, tables of text, errors, durations.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/text-table.h"
#include "base/duration.h"
#include "base/error.h"
#include "base/pool.h"
#include "base/str.h"
#include "cmocka-all.h"

static void test_str_grows(void **state)
{
	struct wv_str str = { 0 };

	for (int i = 0; i < 1000; i++)
		wv_str_addf(&str, "%d,", i);
	assert_int_equal(str.n, 10 * 2 + 90 * 3 + 900 * 4);
	assert_int_equal(strlen(str.data), str.n);
	assert_false(str.failed);
	wv_str_deinit(&str);
}

static void test_pool(void **state)
{
	struct wv_pool pool = { 0 };
	const char *first;
	char text[32];

	assert_int_equal(wv_pool_find(&pool, "0"), WV_POOL_FAILED);
	for (int i = 0; i < 100000; i++) {
		snprintf(text, sizeof(text), "%d", i);
		assert_int_equal(wv_pool_add(&pool, text), i);
	}
	first = wv_pool_get(&pool, 0);
	for (int i = 0; i < 100000; i += 7) {
		snprintf(text, sizeof(text), "%d", i);
		assert_int_equal(wv_pool_add(&pool, text), i);
		assert_int_equal(wv_pool_find(&pool, text), i);
		assert_string_equal(wv_pool_get(&pool, i), text);
	}
	assert_ptr_equal(wv_pool_get(&pool, 0), first);
	assert_int_equal(wv_pool_add_n(&pool, "12345678901234567890", 3), 123);
	assert_int_equal(wv_pool_add(&pool, ""), 100000);
	assert_int_equal(wv_pool_find(&pool, "no such"), WV_POOL_FAILED);
	wv_pool_deinit(&pool);
}

/* Adds a string that is longer than a chunk, and a string after it. */
static void test_pool_long(void **state)
{
	struct wv_pool pool = { 0 };
	size_t n = 1000000;
	char *text = malloc(n + 1);

	memset(text, 'x', n);
	text[n] = '\0';
	assert_int_equal(wv_pool_add(&pool, "before"), 0);
	assert_int_equal(wv_pool_add(&pool, text), 1);
	assert_int_equal(wv_pool_add(&pool, "after"), 2);
	assert_string_equal(wv_pool_get(&pool, 0), "before");
	assert_string_equal(wv_pool_get(&pool, 1), text);
	assert_string_equal(wv_pool_get(&pool, 2), "after");
	wv_pool_deinit(&pool);
	free(text);
}

static void test_columns(void **state)
{
	struct wv_text_table columns = { .n = 3 };
	struct wv_str out = { 0 };

	wv_text_table_add(&columns, "A");
	wv_text_table_add(&columns, "B");
	wv_text_table_add(&columns, "C");
	wv_text_table_add(&columns, "%s", "long");
	wv_text_table_add(&columns, "%s", "");
	wv_text_table_add(&columns, "%d", 1);
	wv_text_table_add(&columns, "%s", "x");
	wv_text_table_add(&columns, "%s", "yy");
	wv_text_table_add(&columns, "%s", "");
	wv_text_table_print(&columns, &out);
	assert_string_equal(out.data, "A     B   C\n"
				      "long      1\n"
				      "x     yy\n");
	wv_text_table_deinit(&columns);
	wv_str_deinit(&out);
}

static void test_error(void **state)
{
	struct wv_error error;
	char text[1200];

	assert_int_equal(wv_fail_at(&error, WV_E_FORMAT, "f", 3, 4, "bad %d", 7), -WV_E_FORMAT);
	assert_string_equal(wv_error_text(&error, text, sizeof(text)), "f:3:4: bad 7");
	wv_fail_at(&error, WV_E_FORMAT, "f", 3, 0, "bad");
	assert_string_equal(wv_error_text(&error, text, sizeof(text)), "f:3: bad");
	wv_fail_at(&error, WV_E_FORMAT, "f", 0, 0, "bad");
	assert_string_equal(wv_error_text(&error, text, sizeof(text)), "f: bad");
	/*
	 * Control characters of other programs' messages and of names in untrusted files must not
	 * get into an error's text.
	 */
	wv_fail_at(&error, WV_E_FORMAT, "f", 0, 0, "it says: %s", "\nERROR:\n\t no\033[2Jrow\r\n");
	assert_string_equal(wv_error_text(&error, text, sizeof(text)),
			    "f: it says: ERROR:  no [2Jrow ");
	assert_int_equal(wv_fail(&error, WV_E_USAGE, "bad"), -WV_E_USAGE);
	assert_string_equal(wv_error_text(&error, text, sizeof(text)), "bad");
}

static void test_durations(void **state)
{
	static const struct {
		const char *text;
		uint64_t nanoseconds;
	} right[] = {
		{ "0s", 0 },
		{ "1ns", 1 },
		{ "1.5us", 1500 },
		{ "2s", 2000000000 },
		{ "0.000000001s", 1 },
		{ "0.5min", 30000000000 },
		{ "1.000s", 1000000000 },
		{ "07ms", 7000000 },
		{ "1152921504s", 1152921504000000000 },
		{ "1152921504606846976ns", UINT64_C(1) << 60 },
	};
	static const char *const wrong[] = {
		"",
		"s",
		"2",
		"2 s",
		"-1s",
		"+1s",
		"1.s",
		".5s",
		"1.5ns",
		"0.0000000001s",
		"1h",
		"2sec",
		"1e3s",
		"1152921504606846977ns",
		"1152921504.7s",
		"99999999999999999999999ns",
		"19215358411min",
	};
	char text[WV_DURATION_TEXT];
	uint64_t ns;

	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		assert_true(wv_duration_parse(right[i].text, &ns));
		assert_int_equal(ns, right[i].nanoseconds);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (wv_duration_parse(wrong[i], &ns))
			fail_msg("'%s' is taken for %llu ns", wrong[i], (unsigned long long)ns);
	assert_string_equal(wv_duration_text(0, text), "0 ns");
	assert_string_equal(wv_duration_text(1500, text), "1.5 us");
	assert_string_equal(wv_duration_text(2000000000, text), "2 s");
	assert_string_equal(wv_duration_text(90000000000, text), "90 s");
	assert_string_equal(wv_duration_text(300000000000, text), "5 min");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_str_grows), cmocka_unit_test(test_pool),
		cmocka_unit_test(test_pool_long), cmocka_unit_test(test_columns),
		cmocka_unit_test(test_error),	  cmocka_unit_test(test_durations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
