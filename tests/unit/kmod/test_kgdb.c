// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests kmod/text/kgdb.c, which says whether one of kgdb's breakpoints is in a range of text. If
 * the kernel has no kgdb, the answer must be no.
 */
#include <stdbool.h>

#include "cmocka-all.h"

/* Takes the place of kmod/base/unexported.h. */
#define WK_UNEXPORTED_H
static int (*kgdb_has_hit_break)(unsigned long address);
#define wk_has(name) (name != NULL)
#define wk_call(name) name

#include "kmod/text/kgdb.c"

enum { BREAKPOINT = 0x1000 };

static int at_breakpoint(unsigned long address)
{
	return address == BREAKPOINT;
}

static void test_without(void **state)
{
	kgdb_has_hit_break = NULL;
	assert_false(wk_kgdb_breakpoint_in(BREAKPOINT, 1));
}

static void test_range(void **state)
{
	kgdb_has_hit_break = at_breakpoint;
	assert_true(wk_kgdb_breakpoint_in(BREAKPOINT, 1));
	assert_true(wk_kgdb_breakpoint_in(BREAKPOINT, 5));
	assert_true(wk_kgdb_breakpoint_in(BREAKPOINT - 4, 5));
	assert_false(wk_kgdb_breakpoint_in(BREAKPOINT - 5, 5));
	assert_false(wk_kgdb_breakpoint_in(BREAKPOINT + 1, 5));
	assert_false(wk_kgdb_breakpoint_in(BREAKPOINT, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without),
		cmocka_unit_test(test_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
