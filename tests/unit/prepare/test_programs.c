// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests prepare/programs.c: which line of a log is shown as the reason of a failure, what a program
 * has printed, and whether a program exists.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"

#include "files.h"
#include "prepare/programs.h"

static void expect_reason(const char *before, const char *log, const char *reason)
{
	struct wv_prepare prepare;
	struct wv_error error;
	struct wv_str text = { 0 };

	wv_prepare_init(&prepare);
	wv_str_addf(&text, "%s%s", before, log);
	snprintf(prepare.log, sizeof(prepare.log), "%s",
		 files_write("log", wv_str_text(&text), text.n));
	assert_int_equal(wv_program_log_size(&prepare), text.n);
	assert_int_equal(wv_program_fail(&prepare, (long)strlen(before), WV_E_FORMAT, "apt fails",
					 &error), -WV_E_FORMAT);
	assert_true(strstr(error.message, "apt fails: ") == error.message);
	assert_contains(error.message, reason);
	assert_contains(error.message, prepare.log);
	wv_str_deinit(&text);
	wv_prepare_deinit(&prepare);
}

static void reasons(void **state)
{
	/*
	 * A compiler's error is preferred to a message of apt, this to one of make, and this to any
	 * other line.
	 */
	expect_reason("", "make: *** [all] Error 2\nE: no package\n  a.c:1: error: no x\nlast\n",
		      "apt fails: a.c:1: error: no x;");
	expect_reason("", "make: *** [all] Error 2\nE: no package\n", "apt fails: E: no package;");
	expect_reason("", "hello\nmake: *** [all] Error 2\n", "fails: make: *** [all] Error 2;");
	/*
	 * Of two lines of one kind the first is shown. What was in the log before does not count.
	 */
	expect_reason("error: old\n", "\nfirst\nsecond\n", "apt fails: first;");
	expect_reason("error: old\n", "", "no reason in the log");
}

static void outputs(void **state)
{
	char *say[] = { "printf", "%s", "two\nlines\n", NULL }, *fail[] = { "false", NULL };
	char *none[] = { "no-such-program-here", NULL };
	struct wv_str out = { 0 };
	struct wv_error error;
	bool ok;

	assert_int_equal(wv_program_text(say, false, &out, &ok, &error), 0);
	assert_true(ok);
	assert_string_equal(out.data, "two\nlines\n");
	assert_int_equal(wv_program_text(fail, false, &out, &ok, &error), 0);
	assert_false(ok);
	assert_int_equal(wv_program_text(none, false, &out, &ok, &error), 0);
	assert_false(ok);
	assert_int_equal(out.n, 0);
	assert_true(wv_program_exists("sh") && wv_program_exists("/bin/sh"));
	assert_false(wv_program_exists("no-such-program-here"));
	wv_str_deinit(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reasons),
		cmocka_unit_test(outputs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
