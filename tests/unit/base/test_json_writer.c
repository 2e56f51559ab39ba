// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests base/json-writer.c: nesting, escaping, numbers. Wrong use must end the program. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json-writer.h"
#include "cmocka-all.h"

static struct wv_str out;
static struct wv_json json;

static int begin(void **state)
{
	json = (struct wv_json)WV_JSON(&out);
	return 0;
}

static int end(void **state)
{
	wv_str_deinit(&out);
	return 0;
}

static void test_nesting(void **state)
{
	wv_json_begin_object(&json, NULL);
	wv_json_begin_array(&json, "list");
	wv_json_begin_array(&json, NULL);
	wv_json_end_array(&json);
	wv_json_begin_object(&json, NULL);
	wv_json_end_object(&json);
	wv_json_begin_object(&json, NULL);
	wv_json_unsigned(&json, "a", 1);
	wv_json_unsigned(&json, "b", 2);
	wv_json_end_object(&json);
	wv_json_unsigned(&json, NULL, 3);
	wv_json_end_array(&json);
	wv_json_begin_object(&json, "empty");
	wv_json_end_object(&json);
	wv_json_bool(&json, "last", true);
	wv_json_end_object(&json);
	wv_json_begin_object(&json, NULL);
	wv_json_null(&json, "second line");
	wv_json_end_object(&json);
	assert_string_equal(out.data,
			    "{\"list\":[[],{},{\"a\":1,\"b\":2},3],\"empty\":{},\"last\":true}\n"
			    "{\"second line\":null}\n");
}

/* Opens arrays and objects in turn up to the maximum depth, and closes them again. */
static void test_depth(void **state)
{
	char wanted[4 * WV_JSON_DEPTH_MAX + 8] = "";
	unsigned int depth;

	for (depth = 0; depth < WV_JSON_DEPTH_MAX; depth++) {
		if (depth % 2)
			wv_json_begin_array(&json, "k");
		else
			wv_json_begin_object(&json, NULL);
		strcat(wanted, depth % 2 ? "\"k\":[" : "{");
	}
	while (depth--) {
		if (depth % 2)
			wv_json_end_array(&json);
		else
			wv_json_end_object(&json);
		strcat(wanted, depth % 2 ? "]" : "}");
	}
	strcat(wanted, "\n");
	assert_string_equal(out.data, wanted);
}

static void test_numbers(void **state)
{
	wv_json_begin_object(&json, NULL);
	wv_json_begin_array(&json, "n");
	wv_json_unsigned(&json, NULL, 0);
	wv_json_unsigned(&json, NULL, UINT64_MAX);
	wv_json_signed(&json, NULL, INT64_MIN);
	wv_json_signed(&json, NULL, INT64_MAX);
	wv_json_signed(&json, NULL, -1);
	wv_json_hex(&json, NULL, 0);
	wv_json_hex(&json, NULL, UINT64_MAX);
	wv_json_hex(&json, NULL, 0x1f);
	wv_json_real(&json, NULL, -0.0625, 3);
	wv_json_real(&json, NULL, 0x1p64, 0);
	wv_json_real(&json, NULL, INFINITY, 1);
	wv_json_real(&json, NULL, NAN, 1);
	wv_json_bool(&json, NULL, false);
	wv_json_end_array(&json);
	wv_json_end_object(&json);
	assert_string_equal(
		out.data,
		"{\"n\":[0,18446744073709551615,-9223372036854775808,9223372036854775807,-1,"
		"\"0\",\"0xffffffffffffffff\",\"0x1f\",-0.062,18446744073709551616,null,null,"
		"false]}\n");
}

/* A value that is absent must be left out together with its key. */
static void test_absent(void **state)
{
	struct wv_str none = { 0 };

	wv_json_begin_object(&json, NULL);
	wv_json_text_if(&json, "a", NULL);
	wv_json_text_if(&json, "b", "");
	wv_json_text_if(&json, "c", "x");
	wv_json_text(&json, "d", "");
	wv_json_str(&json, "e", &none);
	wv_json_end_object(&json);
	assert_string_equal(out.data, "{\"c\":\"x\",\"d\":\"\",\"e\":\"\"}\n");
}

static const struct {
	const char *text, *written;
} strings[] = {
	{ "", "" },
	{ "plain text /~", "plain text /~" },
	{ "a\"b\\c", "a\\\"b\\\\c" },
	{ "\x01\n\t\x1f\x7f", "\\u0001\\u000a\\u0009\\u001f\x7f" },
	/*
	 * The first and the last code point of each length, and the code points next to the
	 * surrogates.
	 */
	{ "\xc2\x80 \xdf\xbf", "\xc2\x80 \xdf\xbf" },
	{ "\xe0\xa0\x80 \xef\xbf\xbf", "\xe0\xa0\x80 \xef\xbf\xbf" },
	{ "\xed\x9f\xbf \xee\x80\x80", "\xed\x9f\xbf \xee\x80\x80" },
	{ "\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf" },
	/*
	 * A byte that cannot begin a sequence, sequences that end early, a byte that can only
	 * continue one.
	 */
	{ "\xff", "\\ufffd" },
	{ "\xc3", "\\ufffd" },
	{ "\xc3(", "\\ufffd(" },
	{ "\xe2\x82", "\\ufffd\\ufffd" },
	{ "\xf0\x9f\x98", "\\ufffd\\ufffd\\ufffd" },
	{ "\xa4", "\\ufffd" },
	{ "\xc3\xa4\xff\xc3\xb6", "\xc3\xa4\\ufffd\xc3\xb6" },
	/* Overlong forms of '/', a surrogate, and code points above U+10FFFF. */
	{ "\xc0\xaf", "\\ufffd\\ufffd" },
	{ "\xe0\x80\xaf", "\\ufffd\\ufffd\\ufffd" },
	{ "\xf0\x80\x80\xaf", "\\ufffd\\ufffd\\ufffd\\ufffd" },
	{ "\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd" },
	{ "\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd" },
	{ "\xf8\x88\x80\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd" },
};

static void test_strings(void **state)
{
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		char wanted[128];

		/* Writes each string as a value and as a key. */
		snprintf(wanted, sizeof(wanted), "{\"%s\":\"%s\"}\n", strings[i].written,
			 strings[i].written);
		wv_json_begin_object(&json, NULL);
		wv_json_text(&json, strings[i].text, strings[i].text);
		wv_json_end_object(&json);
		assert_string_equal(out.data, wanted);
		wv_str_deinit(&out);
	}
}

static void test_no_memory(void **state)
{
	struct wv_str part = { .failed = true };

	wv_json_begin_object(&json, NULL);
	wv_json_str(&json, "key", &part);
	wv_json_end_object(&json);
	assert_true(out.failed);
}

/* ---- wrong use ends the program -------------------------------------------------------------- */

static void value_outside(void)
{
	wv_json_unsigned(&json, NULL, 1);
}

static void array_outside(void)
{
	wv_json_begin_array(&json, NULL);
}

static void object_with_key_outside(void)
{
	wv_json_begin_object(&json, "key");
}

static void value_after_the_end(void)
{
	wv_json_begin_object(&json, NULL);
	wv_json_end_object(&json);
	wv_json_bool(&json, "key", true);
}

static void no_key_in_object(void)
{
	wv_json_begin_object(&json, NULL);
	wv_json_text(&json, NULL, "value");
}

static void key_in_array(void)
{
	wv_json_begin_object(&json, NULL);
	wv_json_begin_array(&json, "list");
	wv_json_text(&json, "key", "value");
}

static void no_text(void)
{
	wv_json_begin_object(&json, NULL);
	wv_json_text(&json, "key", NULL);
}

static void end_without_beginning(void)
{
	wv_json_end_object(&json);
}

static void object_ended_as_array(void)
{
	wv_json_begin_object(&json, NULL);
	wv_json_end_array(&json);
}

static void array_ended_as_object(void)
{
	wv_json_begin_object(&json, NULL);
	wv_json_begin_array(&json, "list");
	wv_json_end_object(&json);
}

static void too_deep(void)
{
	wv_json_begin_object(&json, NULL);
	for (unsigned int i = 0; i < WV_JSON_DEPTH_MAX; i++)
		wv_json_begin_object(&json, "deeper");
}

static bool is_caught(void (*misuse)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		const struct rlimit no_core = { 0 };
		int null = open("/dev/null", O_WRONLY);

		signal(SIGABRT, SIG_DFL);
		setrlimit(RLIMIT_CORE, &no_core);
		dup2(null, STDERR_FILENO);
		misuse();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void test_misuse(void **state)
{
	assert_true(is_caught(value_outside));
	assert_true(is_caught(array_outside));
	assert_true(is_caught(object_with_key_outside));
	assert_true(is_caught(value_after_the_end));
	assert_true(is_caught(no_key_in_object));
	assert_true(is_caught(key_in_array));
	assert_true(is_caught(no_text));
	assert_true(is_caught(end_without_beginning));
	assert_true(is_caught(object_ended_as_array));
	assert_true(is_caught(array_ended_as_object));
	assert_true(is_caught(too_deep));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_nesting, begin, end),
		cmocka_unit_test_setup_teardown(test_depth, begin, end),
		cmocka_unit_test_setup_teardown(test_numbers, begin, end),
		cmocka_unit_test_setup_teardown(test_absent, begin, end),
		cmocka_unit_test_setup_teardown(test_strings, begin, end),
		cmocka_unit_test_setup_teardown(test_no_memory, begin, end),
		cmocka_unit_test_setup_teardown(test_misuse, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
