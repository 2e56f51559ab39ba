// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests which functions count as compiled by GCC from C, by the DWARF 4 and 5 that this machine's
 * compiler writes: functions, and their cold parts. Assembler must not count, neither in a file
 * that has its own line numbers nor in the middle of a C file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"
#include "files.h"
#include "image/dwarf/debug.h"
#include "image/symbols.h"

static const char c[] = "__attribute__((cold)) void fail(int x);\n"
			"__attribute__((noinline)) static int helper(int x) { asm volatile(\"\" : "
			"\"+r\"(x)); return x; }\n"
			"int whole(int x) { if (x == 42) { fail(x); x = helper(x + 1); fail(x); } "
			"return helper(x); }\n"
			"void fail(int x) { asm volatile(\"\" :: \"r\"(x)); }\n"
			"asm(\".globl between\\n.type between, @function\\nbetween: ret\\n.size "
			"between, . - between\");\n";
static const char assembler[] =
	".globl apart\n.type apart, @function\napart: nop\nret\n.size apart, . - apart\n";

static bool is_c(const struct wv_debug *debug, const struct wv_symbols *symbols, const char *name)
{
	wv_vec_for_each(symbol, &symbols->list)
		if (!strcmp(symbol->name, name))
			return wv_debug_is_c(debug, symbol->address);
	fail_msg("no symbol %s", name);
	return false;
}

static void look_at(const char *flags)
{
	char c_path[128], assembler_path[128], image_path[128], command[640];
	struct wv_symbols symbols;
	struct wv_image *image;
	struct wv_debug debug;
	struct wv_error error;

	snprintf(c_path, sizeof(c_path), "%s", files_write("made.c", c, strlen(c)));
	snprintf(assembler_path, sizeof(assembler_path), "%s",
		 files_write("apart.S", assembler, strlen(assembler)));
	snprintf(image_path, sizeof(image_path), "%s", files_path("made"));
	snprintf(command, sizeof(command),
		 "gcc -g -O2 -fno-inline -fno-ipa-ra %s -nostdlib -static -Wl,-e0,-z,noexecstack "
		 "-o %s %s %s",
		 flags, image_path, c_path, assembler_path);
	assert_int_equal(system(command), 0);
	assert_int_equal(wv_image_open(image_path, &image, &error), 0);
	assert_int_equal(wv_symbols_init(&symbols, image, &error), 0);
	assert_int_equal(wv_debug_init(&debug, image, true, &error), 0);
	assert_true(is_c(&debug, &symbols, "whole"));
	assert_true(is_c(&debug, &symbols, "whole.cold"));
	assert_true(is_c(&debug, &symbols, "helper"));
	assert_true(is_c(&debug, &symbols, "fail"));
	assert_false(is_c(&debug, &symbols, "between"));
	assert_false(is_c(&debug, &symbols, "apart"));
	wv_debug_deinit(&debug);
	wv_symbols_deinit(&symbols);
	wv_image_close(image);
	remove(image_path);
}

static void test_dwarf_5(void **state)
{
	look_at("-gdwarf-5");
}

static void test_dwarf_4(void **state)
{
	look_at("-gdwarf-4 -fcf-protection=none");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_dwarf_5),
					    cmocka_unit_test(test_dwarf_4) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
