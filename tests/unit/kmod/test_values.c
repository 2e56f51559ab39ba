// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests kmod/record/record-values.c, and that the weaver gives values to the same formats: a record
 * that is read from a file must have the values that it has when weft.ko formats it.
 */
#include <stdint.h>
#include <string.h>

#include "cmocka-all.h"
#include "trace/render.h"

typedef uint32_t u32;
#include "kmod/record/record-values.c"

static char format[2 * WR_MARKED_MAX], marked[WR_MARKED_MAX];

static const struct wv_trace_symbol *no_symbol(const void *context, uint64_t address)
{
	return NULL;
}

/*
 * weft.ko's code and the weaver's must both find @wanted values in a record of the format @text,
 * whose arguments are numbers.
 */
static void values(const char *text, unsigned int wanted)
{
	static const struct wv_symbol_finder finder = { no_symbol, NULL };
	static struct wv_rendered rendered;
	static uint64_t words[WR_ARGUMENTS_MAX];
	struct wv_argument_fields fields;
	struct wv_error error;

	memset(words, 65, sizeof(words)); /* arguments of four and of eight bytes, none of them 0 */
	assert_int_equal(wk_values_mark(text, marked), wanted);
	assert_int_equal(wv_fields_of_format(text, WEFT_CONTENT_WORDS, 0, &fields, &error), 0);
	assert_int_equal(wv_render(text, &fields, &finder, words, sizeof(words), &rendered, &error),
			 0);
	assert_int_equal(rendered.nr_values, wanted);
}

static void test_marks(void **state)
{
	struct weft_value found[WR_VALUES_MAX];
	char text[] = "a\1d12\2%\1Sf+0x1\2";
	u32 size;

	values("a%d%% %5lld %c", 3);
	assert_string_equal(marked, "a\1d%d\2%% \1d%5lld\2 \1c%c\2");
	assert_int_equal(wk_values_take(text, sizeof(text), found, &size), 2);
	assert_string_equal(text, "a12%f+0x1");
	assert_int_equal(size, 9);
	assert_int_equal(found[1].type, 'S');
	assert_int_equal(found[1].start, 4);
	assert_int_equal(found[1].end, 9);
	values("%pS %px %p", 3);
	assert_string_equal(marked, "\1S%pS\2 \1p%px\2 \1p%p\2");
	values("no values, 100%%", 0);
}

static void test_mark_bytes_in_the_format(void **state)
{
	values("\1%d", 0);
	values("%d\2", 0);
}

/*
 * The longest format with values has room for its marks and a NUL. The values come first, since a
 * text is cut.
 */
static void test_longest(void **state)
{
	const size_t most = WR_MARKED_MAX - 1 - 2 * WR_MARKS_SIZE;

	memset(format, 'x', sizeof(format));
	memcpy(format, "%d%d", 4);
	format[most] = '\0';
	values(format, 2);
	assert_int_equal(strlen(marked), WR_MARKED_MAX - 1);
	format[most] = 'x';
	format[most + 1] = '\0';
	values(format, 0);
	format[most + 1] = 'x';
	format[sizeof(format) - 1] = '\0';
	values(format, 0);
}

/* Whether a format has a value with a name that is asked for. */
static void test_names(void **state)
{
	const char *names = "sk->sk_state, weft_unit(f(a, ')'), \"ns\"), (void *)p, \"a, b\"";
	const char *four = "%d %d %p %s";

	assert_true(wk_values_any(four, names, "sk->sk_state"));
	assert_true(wk_values_any(four, names, "x, sk -> sk_state ,y"));
	assert_true(wk_values_any(four, names, "f(a,')')"));
	assert_true(wk_values_any(four, names, "(void*)p"));
	assert_true(wk_values_any(four, names, "\"a, b\""));
	assert_false(wk_values_any(four, names, "sk"));
	assert_false(wk_values_any(four, names, "sk_state"));
	assert_false(wk_values_any(four, names, "a"));
	assert_false(wk_values_any(four, names, "weft_unit(f(a, ')'), \"ns\")"));
	assert_false(wk_values_any(four, names, ""));
	/* the argument of the '*' has a name, but is a width and no value */
	assert_false(wk_values_any("%*d", "w, x", "x"));
	assert_false(wk_values_any("no value", "", ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_mark_bytes_in_the_format),
		cmocka_unit_test(test_longest),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
