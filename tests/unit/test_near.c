// SPDX-License-Identifier: GPL-2.0-or-later
/* base/suggest.c: distances, and which names are offered. */
#include "cmocka-all.h"
#include "base/suggest.h"

static void test_distance(void **state)
{
	assert_int_equal(wv_near_distance("abc", "abc", 3), 0);
	assert_int_equal(wv_near_distance("abc", "abd", 3), 1);
	assert_int_equal(wv_near_distance("abc", "ab", 3), 1);
	assert_int_equal(wv_near_distance("abc", "xabc", 3), 1);
	assert_int_equal(wv_near_distance("abcd", "abdc", 3), 1); /* a swap is one slip */
	assert_int_equal(wv_near_distance("", "abc", 3), 3);
	assert_int_equal(wv_near_distance("kitten", "sitting", 3), 3);
	assert_int_equal(wv_near_distance("kitten", "sitting", 2), 3); /* more than the limit */
	assert_int_equal(wv_near_distance("abcdefgh", "zyxwvuts", 2), 3);
}

static void test_best(void **state)
{
	struct wv_near near = { .wanted = "destrutcor" };
	char text[256];

	assert_string_equal(wv_near_text(&near, text, sizeof(text)), "");
	wv_near_offer(&near, "unrelated");
	assert_string_equal(wv_near_text(&near, text, sizeof(text)), "");
	wv_near_offer(&near, "destructors");
	wv_near_offer(&near, "destructor");
	wv_near_offer(&near, "destructor");
	assert_string_equal(wv_near_text(&near, text, sizeof(text)),
			    "; did you mean destructor or destructors?");
	wv_near_offer(&near, "constructor");
	wv_near_offer(&near, "bestructor");
	wv_near_offer(&near, "aestructor");
	assert_string_equal(wv_near_text(&near, text, sizeof(text)),
			    "; did you mean destructor, aestructor or bestructor?");
}

/* Neither a name nor a wish of any length may overrun anything. */
static void test_long(void **state)
{
	char name[1000], text[64];
	struct wv_near near = { .wanted = "x" };

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	wv_near_offer(&near, name);
	assert_int_equal(near.n, 0);
	near.wanted = name;
	wv_near_offer(&near, "x");
	wv_near_offer(&near, name);
	assert_int_equal(near.n, 0);
	near.wanted = name + sizeof(name) - 1 - 120;
	wv_near_offer(&near, name + sizeof(name) - 1 - 121);
	assert_int_equal(near.n, 1);
	assert_int_equal(strlen(wv_near_text(&near, text, sizeof(text))), sizeof(text) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_distance),
		cmocka_unit_test(test_best),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
