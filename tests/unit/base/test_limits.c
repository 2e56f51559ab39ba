// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests base/limits.c: which texts are a budget or a share, and which are neither. */
#include "cmocka-all.h"

#include "base/limits.h"
#include "runtime/abi.h"

static void test_budgets(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} right[] = {
		{ "0", WEFT_BUDGET_NONE }, { "100us", 100000 },	   { "1ms", 1000000 },
		{ "1.5ms", 1500000 },	   { "60s", 60000000000 }, { "1min", 60000000000 },
	};
	static const char *const wrong[] = { "",    "1",    "99us", "61s",  "0ms", "-1ms",
					     "1 ms", "none", "00",   "2min", "1h" };
	uint64_t ns;

	for (size_t i = 0; i < sizeof(right) / sizeof(*right); i++) {
		assert_true(wv_budget_parse(right[i].text, &ns));
		assert_int_equal(ns, right[i].ns);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		if (wv_budget_parse(wrong[i], &ns))
			fail_msg("'%s' is taken for a budget", wrong[i]);
}

static void test_shares(void **state)
{
	static const struct {
		const char *text;
		uint32_t share;
	} right[] = {
		{ "0", WEFT_SHARE_NONE }, { "0%", WEFT_SHARE_NONE }, { "1", 1 },
		{ "10%", 10 },		  { "100%", 100 },
	};
	static const char *const wrong[] = { "",   "%",	  "101%", "-1%", "1.5%",
					     "+1", "10%%", "10 %", "99999999999999999999" };
	uint32_t share;

	for (size_t i = 0; i < sizeof(right) / sizeof(*right); i++) {
		assert_true(wv_share_parse(right[i].text, &share));
		assert_int_equal(share, right[i].share);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		if (wv_share_parse(wrong[i], &share))
			fail_msg("'%s' is taken for a share", wrong[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_budgets),
		cmocka_unit_test(test_shares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
