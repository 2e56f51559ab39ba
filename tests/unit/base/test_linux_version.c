// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests base/linux-version.c: which texts are series of releases or ranges of series, and which are
 * neither.
 */
#include "base/linux-version.h"
#include "cmocka-all.h"

static void series(void **state)
{
	assert_string_equal(wv_linux_version_text(wv_linux_version_of("6.12.117+deb13")).text,
			    "6.12");
	assert_string_equal(wv_linux_version_text(wv_linux_version_of("7.3-rc1")).text, "7.3");
	assert_true(wv_linux_version_of("6.2") < wv_linux_version_of("6.12"));
	assert_true(wv_linux_version_of("6.12") < wv_linux_version_of("7.0"));
	assert_int_equal(wv_linux_version_of(""), 0);
	assert_int_equal(wv_linux_version_of("six"), 0);
	assert_int_equal(wv_linux_version_of("6."), 0);
	assert_int_equal(wv_linux_version_of("0.12"), 0);
	assert_int_equal(wv_linux_version_of("123456.1"), 0);
}

static bool is_in(const char *version, const char *text)
{
	struct wv_linux_range range;
	struct wv_error error;

	assert_int_equal(wv_linux_range_parse(text, &range, &error), 0);
	return wv_linux_in(wv_linux_version_of(version), &range);
}

static void ranges(void **state)
{
	assert_true(is_in("6.12.1", "6.12"));
	assert_false(is_in("6.1", "6.12"));
	assert_true(is_in("6.12", "6.12.."));
	assert_true(is_in("7.3", "6.12.."));
	assert_false(is_in("6.11", "6.12.."));
	assert_true(is_in("6.11.9", "..6.11"));
	assert_true(is_in("2.6", "..6.11"));
	assert_false(is_in("6.12", "..6.11"));
	assert_true(is_in("6.2", "6.2..6.9"));
	assert_true(is_in("6.9", "6.2..6.9"));
	assert_false(is_in("6.10", "6.2..6.9"));
}

static void none(void **state)
{
	const char *const wrong[] = { "", "..", "6", "6.12.7", "6.1...6.2", "6.1..6.2..6.3",
				      " 6.1", "6.1 ", "6.2..6.1", "0.0", "..0.1", "6.1..x",
				      "99999.1", "6.99999", "-6.1" };
	struct wv_linux_range range;
	struct wv_error error;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(wv_linux_range_parse(wrong[i], &range, &error), -WV_E_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(series),
		cmocka_unit_test(ranges),
		cmocka_unit_test(none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
