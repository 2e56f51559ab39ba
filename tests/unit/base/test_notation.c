// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests base/notation.c and splice/totals.c: locations, counts and totals in the notation that all
 * of weft uses.
 */
#include "base/notation.h"
#include "cmocka-all.h"
#include "splice/totals.h"

/* The function that adds to a string and the one that returns a text must write the same. */
static void same_symbol(const char *symbol, uint64_t offset, const char *wanted)
{
	struct wv_str out = { 0 };

	wv_str_add_symbol(&out, symbol, offset);
	assert_string_equal(out.data, wanted);
	assert_string_equal(wv_symbol_text(symbol, offset).text, wanted);
	wv_str_deinit(&out);
}

static void same_source(const char *file, unsigned int line, unsigned int column,
			const char *wanted)
{
	struct wv_str out = { 0 };

	wv_str_add_source(&out, file, line, column);
	assert_string_equal(out.data, wanted);
	assert_string_equal(wv_source_text(file, line, column).text, wanted);
	wv_str_deinit(&out);
}

static void test_symbols(void **state)
{
	struct wv_str out = { 0 };

	same_symbol("vfs_read", 5, "vfs_read+0x5");
	same_symbol("vfs_read", 0, "vfs_read+0x0");
	same_symbol("f", UINT64_MAX, "f+0xffffffffffffffff");
	same_symbol(NULL, 16, "?+0x10");
	wv_str_add_address(&out, 0xffffffff81000000, "f", 1);
	wv_str_add(&out, " ");
	wv_str_add_address(&out, 0xffffffff81000000, NULL, 1);
	assert_string_equal(out.data, "f+0x1 0xffffffff81000000");
	wv_str_deinit(&out);
}

static void test_sources(void **state)
{
	same_source("fs/namei.c", 2404, 7, "fs/namei.c:2404:7");
	same_source("fs/namei.c", 2404, 0, "fs/namei.c:2404");
	same_source("fs/namei.c", 0, 7, "fs/namei.c");
	same_source("", 1, 1, ":1:1");
	same_source(NULL, 2404, 7, "?");
}

static void test_accesses(void **state)
{
	struct wv_str out = { 0 };

	wv_str_add_access(&out, "sk_buff", "destructor", "call");
	wv_str_add_access(&out, NULL, NULL, ", entry");
	assert_string_equal(out.data, "sk_buff.destructor call, entry");
	assert_string_equal(wv_access_text("sk_buff", "len", "get").text, "sk_buff.len get");
	assert_string_equal(wv_access_text(NULL, "len", "get").text, ".len get");
	assert_string_equal(wv_access_text(NULL, NULL, "entry").text, "entry");
	wv_str_deinit(&out);
}

/* Texts that one expression uses must not share their memory. */
static void test_counts(void **state)
{
	struct wv_str out = { 0 };

	wv_str_addf(&out, "%s, %s, %s", wv_count_text(0, "byte").text,
		    wv_count_text(1, "byte").text, wv_count_text(UINT64_MAX, "byte").text);
	assert_string_equal(out.data, "0 bytes, 1 byte, 18446744073709551615 bytes");
	assert_string_equal(wv_plural(1, "copy", "copies"), "copy");
	assert_string_equal(wv_plural(0, "copy", "copies"), "copies");
	assert_string_equal(wv_plural(2, "copy", "copies"), "copies");
	wv_str_deinit(&out);
}

/* A name that does not fit must be cut off, and nothing may follow it. */
static void test_long(void **state)
{
	char name[2 * WV_PHRASE_MAX];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(strlen(wv_symbol_text(name, 5).text), WV_PHRASE_MAX - 1);
	assert_int_equal(strlen(wv_source_text(name, 1, 1).text), WV_PHRASE_MAX - 1);
	assert_int_equal(strlen(wv_count_text(1, name).text), WV_PHRASE_MAX - 1);
}

static void test_totals(void **state)
{
	struct wv_totals totals = { 0 };
	struct wv_str out = { 0 };

	wv_totals_text(&totals, &out);
	assert_string_equal(out.data,
			    "matched 0 = call 0 + jump 0 + springboard 0 + trap 0 + refused 0");
	wv_str_deinit(&out);
	for (unsigned int kind = 0; kind < WEFT_SPLICE_KINDS; kind++)
		wv_totals_add(&totals, wv_splice_of_kind(kind), WEFT_REFUSAL_FTRACE);
	wv_totals_add(&totals, wv_splice_of_kind(WEFT_SPLICE_JUMP), WEFT_REFUSAL_NONE);
	wv_totals_add(&totals, WV_SPLICE_REFUSED, WEFT_REFUSAL_FTRACE);
	wv_totals_add(&totals, WV_SPLICE_REFUSED, WEFT_REFUSAL_FTRACE);
	wv_totals_add(&totals, WV_SPLICE_REFUSED, WEFT_REFUSAL_BREAKPOINT);
	wv_totals_text(&totals, &out);
	assert_string_equal(out.data,
			    "matched 8 = call 1 + jump 2 + springboard 1 + trap 1 + refused 3"
			    " (ftrace 2, breakpoint 1)");
	wv_str_deinit(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_symbols), cmocka_unit_test(test_sources),
		cmocka_unit_test(test_accesses), cmocka_unit_test(test_counts),
		cmocka_unit_test(test_long),	 cmocka_unit_test(test_totals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
