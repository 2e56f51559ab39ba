// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests how a weft_log() statement becomes a class of events in a recording's metadata, and the
 * names of its fields.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cmocka-all.h"

#include "trace/tsdl.h"

static const struct wv_trace_about about = { .aspect = "aspect" };

static void named(const char *names, size_t index, const char *wanted)
{
	struct wv_str name = { 0 };

	wv_tsdl_field_name(names, index, &name);
	assert_string_equal(wv_str_text(&name), wanted);
	wv_str_deinit(&name);
}

static void test_names(void **state)
{
	const char *names = "sk->sk_state, weft_unit(f(a, b), \"ns\"), (-1), \"a, b\", ' '";

	named(names, 0, "sk_sk_state");
	named(names, 1, "f_a_b_ns");
	named(names, 2, "1");
	named(names, 3, "a_b");
	named(names, 4, "value5");
	named(names, 5, "value6");
	named("", 0, "value1");
}

static void test_statement(void **state)
{
	static const char wanted[] =
		"\nevent {\n\tname = \"aspect:state_of_it\";\n\tid = 27;\n\tstream_id = 0;\n"
		"\tcontext := struct { joinpoint8_t _joinpoint; };\n"
		"\tfields := struct {\n"
		"\t\tinteger { size = 32; align = 32; signed = true; base = 10; } _n;\n"
		"\t\tinteger { size = 64; align = 32; signed = false; base = 16; } _n_2;\n"
		"\t};\n};\n"
		"\nevent {\n\tname = \"aspect:state_of_it\";\n\tid = 24;\n\tstream_id = 0;\n"
		"\tcontext := struct { joinpoint16_t _joinpoint; };\n"
		"\tfields := struct {\n"
		"\t\tinteger { size = 32; align = 32; signed = true; base = 10; } _n;\n"
		"\t\tinteger { size = 64; align = 32; signed = false; base = 16; } _n_2;\n"
		"\t};\n};\n"
		"\nevent {\n\tname = \"aspect:state_of_it\";\n\tid = 25;\n\tstream_id = 0;\n"
		"\tcontext := struct { joinpoint32_t _joinpoint; };\n"
		"\tfields := struct {\n"
		"\t\tinteger { size = 32; align = 32; signed = true; base = 10; } _n;\n"
		"\t\tinteger { size = 64; align = 32; signed = false; base = 16; } _n_2;\n"
		"\t};\n};\n";
	struct wv_trace_statement statement = { .index = 5,
						.format = "state %d of it %lx",
						.names = "n, n" };
	struct wv_error error;
	struct wv_str text = { 0 };

	assert_int_equal(wv_fields_of_format(statement.format, WEFT_CONTENT_WORDS, 0,
					     &statement.fields, &error),
			 0);
	wv_tsdl_statement(&about, &statement, &text);
	assert_string_equal(wv_str_text(&text), wanted);
	wv_str_deinit(&text);
}

/*
 * A statement whose arguments include texts must have a second class, for records that had no room
 * for their arguments.
 */
static void test_two_classes(void **state)
{
	struct wv_trace_statement statement = {
		.index = 1, .content = WEFT_CONTENT_PACKED, .format = "%s", .names = "name"
	};
	struct wv_error error;
	struct wv_str text = { 0 };

	assert_int_equal(
		wv_fields_of_format("%s", WEFT_CONTENT_PACKED, 0, &statement.fields, &error), 0);
	wv_tsdl_statement(&about, &statement, &text);
	assert_non_null(strstr(text.data, "id = 9;"));
	assert_non_null(strstr(text.data, "string { encoding = UTF8; } _name;"));
	assert_non_null(strstr(text.data, "id = 10;"));
	assert_non_null(strstr(text.data, "name = \"aspect:log\";"));
	wv_str_deinit(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_statement),
		cmocka_unit_test(test_two_classes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
