// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests base/suggest.c: distances between names, and which names are suggested for a wrong one. */
#include "cmocka-all.h"
#include "base/suggest.h"

static void test_distance(void **state)
{
	assert_int_equal(wv_suggestion_distance("abc", "abc", 3), 0);
	assert_int_equal(wv_suggestion_distance("abc", "abd", 3), 1);
	assert_int_equal(wv_suggestion_distance("abc", "ab", 3), 1);
	assert_int_equal(wv_suggestion_distance("abc", "xabc", 3), 1);
	/* Two letters that are swapped count as one change. */
	assert_int_equal(wv_suggestion_distance("abcd", "abdc", 3), 1);
	assert_int_equal(wv_suggestion_distance("", "abc", 3), 3);
	assert_int_equal(wv_suggestion_distance("kitten", "sitting", 3), 3);
	/* A distance above the limit is not computed: the result is then the limit plus one. */
	assert_int_equal(wv_suggestion_distance("kitten", "sitting", 2), 3);
	assert_int_equal(wv_suggestion_distance("abcdefgh", "zyxwvuts", 2), 3);
}

static void test_best(void **state)
{
	struct wv_suggestion suggestion = { .wanted = "destrutcor" };
	char text[256];

	assert_string_equal(wv_suggestion_text(&suggestion, text, sizeof(text)), "");
	wv_suggestion_offer(&suggestion, "unrelated");
	assert_string_equal(wv_suggestion_text(&suggestion, text, sizeof(text)), "");
	wv_suggestion_offer(&suggestion, "destructors");
	wv_suggestion_offer(&suggestion, "destructor");
	wv_suggestion_offer(&suggestion, "destructor");
	assert_string_equal(wv_suggestion_text(&suggestion, text, sizeof(text)),
			    "; did you mean destructor or destructors?");
	wv_suggestion_offer(&suggestion, "constructor");
	wv_suggestion_offer(&suggestion, "bestructor");
	wv_suggestion_offer(&suggestion, "aestructor");
	assert_string_equal(wv_suggestion_text(&suggestion, text, sizeof(text)),
			    "; did you mean destructor, aestructor or bestructor?");
}

/* Long names, suggested or wanted, must not overrun the buffers. */
static void test_long(void **state)
{
	char name[1000], text[64];
	struct wv_suggestion suggestion = { .wanted = "x" };

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	wv_suggestion_offer(&suggestion, name);
	assert_int_equal(suggestion.n, 0);
	suggestion.wanted = name;
	wv_suggestion_offer(&suggestion, "x");
	wv_suggestion_offer(&suggestion, name);
	assert_int_equal(suggestion.n, 0);
	suggestion.wanted = name + sizeof(name) - 1 - 120;
	wv_suggestion_offer(&suggestion, name + sizeof(name) - 1 - 121);
	assert_int_equal(suggestion.n, 1);
	assert_int_equal(strlen(wv_suggestion_text(&suggestion, text, sizeof(text))),
			 sizeof(text) - 1);
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
