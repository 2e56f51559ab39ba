// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the text that is made of a record's stored arguments, which must be the text that the
 * kernel would make.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cmocka-all.h"

#include "trace/render.h"

static const struct wv_trace_symbol *find(const void *context, uint64_t address)
{
	static const struct wv_trace_symbol proper = { 0x1000, 0x1080, "schedule", "" };
	static const struct wv_trace_symbol module = { 0x2000, 0x2010, "probe", "e1000" };

	return address >= 0x1000 && address < 0x1080   ? &proper
	       : address >= 0x2000 && address < 0x2010 ? &module
						       : NULL;
}

static const struct wv_symbol_finder finder = { find, NULL };
static struct wv_rendered rendered;
static struct wv_error error;

static int render(const char *format, enum weft_content content, uint32_t packed, const void *bytes,
		  size_t n)
{
	struct wv_argument_fields fields;

	if (wv_fields_of_format(format, content, packed, &fields, &error))
		return -1;
	return wv_render(format, &fields, &finder, bytes, n, &rendered, &error);
}

/* Renders a format with one argument of eight bytes. */
static void is(const char *format, uint64_t word, const char *wanted)
{
	assert_int_equal(render(format, WEFT_CONTENT_WORDS, 0, &word, sizeof(word)), 0);
	assert_string_equal(rendered.text, wanted);
	assert_int_equal(rendered.size, strlen(wanted));
}

static void test_numbers(void **state)
{
	/* If the argument is smaller than a word, the rest of the word is junk. */
	is("%d", 0xdeadbeefffffffff, "-1");
	is("%u", 0xdeadbeefffffffff, "4294967295");
	is("%hhd", 0x17f80, "-128");
	is("%hu", 0xabcd1234, "4660");
	is("%lld", (uint64_t)-5, "-5");
	is("%zu|", 7, "7|");
	is("%5d|", 42, "   42|");
	is("%-5d|", 42, "42   |");
	is("%05d|", (uint64_t)-42, "-0042|");
	is("%+d", 42, "+42");
	is("% d", 42, " 42");
	is("%#x", 255, "0xff");
	is("%#X", 255, "0XFF");
	is("%#o", 8, "010");
	is("%.4d", 42, "0042");
	is("100%% of %d", 3, "100% of 3");
	is("%c|", 'y', "y|");
	is("%3c|", 'y', "  y|");
	/* The kernel prints these differently from C's printf(). */
	is("%#x", 0, "0x0");
	is("%08.3d", 42, "00000042");
}

static void test_pointers(void **state)
{
	is("%p", 0x1234, "0000000000001234");
	is("%px", 0xffffffff81000000, "ffffffff81000000");
	is("%ps", 0x1010, "schedule");
	is("%pS", 0x1010, "schedule+0x10/0x80");
	is("%ps", 0x2000, "probe [e1000]");
	is("%pS", 0x2004, "probe+0x4/0x10 [e1000]");
	is("%12ps|", 0x1010, "    schedule|");
	is("%pS", 0x3000, "0x3000");
	is("%pe", (uint64_t)-2, "-ENOENT");
	is("%pe", (uint64_t)-4000, "-4000");
	is("%pe", 0x1234, "0000000000001234");
}

static void test_packed(void **state)
{
	/* The arguments lie at any byte (%s, %hhd) or at a multiple of four (%d, %lld). */
	static const char bytes[] = "ab\0\5\xff\xff\xff\xff\1\0\0\0\0\0\0\0text";

	assert_int_equal(
		render("%s|%hhd|%d|%lld|%s|", WEFT_CONTENT_PACKED, 0, bytes, sizeof(bytes)), 0);
	assert_string_equal(rendered.text, "ab|5|-1|1|text|");
	assert_int_equal(rendered.nr_values, 5);
	assert_int_equal(rendered.values[1].start, 3);
	assert_int_equal(rendered.values[1].end, 4);
	assert_int_equal(rendered.values[1].type, 'd');
	/* Newer kernels store numbers of one and two bytes as four bytes. */
	assert_int_equal(render("%hhd%s", WEFT_CONTENT_PACKED, WEFT_PACKED_WIDE, "\7\0\0\0s", 6),
			 0);
	assert_string_equal(rendered.text, "7s");
	/* The kernel has made this text at the hit, so its width is not applied again. */
	assert_int_equal(render("%20pI4|", WEFT_CONTENT_PACKED, 0, "10.0.0.1", 9), 0);
	assert_string_equal(rendered.text, "10.0.0.1|");
	assert_int_equal(rendered.values[0].type, 't');
}

static void test_stars(void **state)
{
	static const struct {
		int width;
		char text[8];
	} right = { 6, "ab" }, left = { -6, "ab" }, cut = { 1, "ab" };

	assert_int_equal(render("%*s|", WEFT_CONTENT_PACKED, 0, &right, sizeof(right)), 0);
	assert_string_equal(rendered.text, "    ab|");
	assert_int_equal(render("%*s|", WEFT_CONTENT_PACKED, 0, &left, sizeof(left)), 0);
	assert_string_equal(rendered.text, "ab    |");
	assert_int_equal(render("%.*s|", WEFT_CONTENT_PACKED, 0, &cut, sizeof(cut)), 0);
	assert_string_equal(rendered.text, "a|");
	assert_int_equal(rendered.nr_values, 1);
}

/* A text that is too long must be cut, and only the values that are whole in it must be kept. */
static void test_long_texts(void **state)
{
	static char bytes[1500];

	memset(bytes, 'x', sizeof(bytes) - 9);
	strcpy(bytes + 1000, "");
	assert_int_equal(render("%s%s", WEFT_CONTENT_PACKED, 0, bytes, sizeof(bytes)), 0);
	assert_int_equal(rendered.size, WV_RENDER_TEXT - 1);
	assert_int_equal(rendered.nr_values, 1);
	assert_int_equal(rendered.values[0].end, 1000);
	/* A NUL ends the text. */
	is("%c of it", 0, "");
	assert_int_equal(rendered.nr_values, 0);
}

static void test_damaged(void **state)
{
	uint64_t word = 1;
	struct wv_argument_fields fields;

	assert_int_equal(render("%d %ld", WEFT_CONTENT_WORDS, 0, &word, sizeof(word)),
			 -WV_E_FORMAT);
	assert_int_equal(render("%s", WEFT_CONTENT_PACKED, 0, "no end", 6), -WV_E_FORMAT);
	assert_int_equal(wv_fields_of_format("%n", WEFT_CONTENT_PACKED, 0, &fields, &error),
			 -WV_E_FORMAT);
	assert_int_equal(wv_fields_of_format("%s", WEFT_CONTENT_WORDS, 0, &fields, &error),
			 -WV_E_FORMAT);
	assert_int_equal(wv_fields_of_format("%", WEFT_CONTENT_WORDS, 0, &fields, &error),
			 -WV_E_FORMAT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),	   cmocka_unit_test(test_pointers),
		cmocka_unit_test(test_packed),	   cmocka_unit_test(test_stars),
		cmocka_unit_test(test_long_texts), cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
