// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests module/module-file.c, which reads an aspect's tables from its module's file: a good module,
 * and modules that are bad in one way each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmocka-all.h"

#include "module/module-file.h"

/* What a test changes in a good module, as C initializers. */
struct variant {
	const char *magic, *abi, *name, *nr_joinpoints, *strings, *first, *second;
	const char *build_id_size, *kernel, *part;
};

static const struct variant good = {
	.magic = "WEFT_ASPECT_MAGIC",
	.abi = "WEFT_ABI_VERSION",
	.name = "\"good\"",
	.nr_joinpoints = "2",
	.build_id_size = "20",
	.kernel = "",
	.part = ".module = 1, .section = 1, .anchor = 5, .anchor_offset = 15, .size = 16",
	.strings = "\"\\0\" \"one\\0\" \"two\\0\"",
	.first = ".text_offset = 0x10, .symbol = 1, .what = 5, .advice = 0",
	.second = ".text_offset = 0x10, .symbol = 1, .what = 5, .advice = 1",
};

static char folder[] = "/tmp/weft-test-module-XXXXXX";
static char source[64], object[64];

static int set_up(void **state)
{
	if (!mkdtemp(folder))
		return -1;
	snprintf(source, sizeof(source), "%s/a.c", folder);
	snprintf(object, sizeof(object), "%s/a.ko", folder);
	return 0;
}

static int tear_down(void **state)
{
	unlink(source);
	unlink(object);
	return rmdir(folder);
}

static void compile(const char *flags)
{
	char command[256];

	snprintf(command, sizeof(command), "gcc -I. %s -o %s %s", flags, object, source);
	assert_int_equal(system(command), 0);
}

static void make_module(const struct variant *variant)
{
	FILE *stream = fopen(source, "w");

	assert_non_null(stream);
	fprintf(stream,
		"#include \"runtime/abi.h\"\n#define S(s) __attribute__((used, section(s)))\n"
		"const struct weft_aspect_header h S(WEFT_SECTION_ASPECT) = { .magic = %s, .abi = "
		"%s,\n"
		" .name = %s, .nr_joinpoints = %s, .nr_advices = 2, .nr_parts = 2,\n"
		" .content = 9 };\n"
		"const struct weft_text_part p[] S(WEFT_SECTION_PARTS) = {\n"
		" { .build_id = { 7 }, .build_id_size = %s, %s },\n"
		" { .build_id = { 8 }, .build_id_size = 20, %s } };\n"
		"const struct weft_joinpoint j[] S(WEFT_SECTION_JOINPOINTS) = { { %s }, { %s } };\n"
		"const char s[] S(WEFT_SECTION_STRINGS) = %s;\n",
		variant->magic, variant->abi, variant->name, variant->nr_joinpoints,
		variant->build_id_size, variant->kernel, variant->part, variant->first,
		variant->second, variant->strings);
	fclose(stream);
	compile("-c");
}

static void good_module(void **state)
{
	struct wv_aspect_module *module = NULL;
	struct wv_error error = { 0 };

	make_module(&good);
	assert_int_equal(wv_aspect_module_open(object, &module, &error), 0);
	assert_string_equal(module->header.name, "good");
	assert_int_equal(module->header.content, 9);
	assert_int_equal(module->header.nr_parts, 2);
	assert_int_equal(module->parts[0].build_id[0], 7);
	assert_int_equal(module->parts[1].size, 16);
	assert_int_equal(module->n, 2);
	assert_int_equal(module->joinpoints[1].advice, 1);
	assert_string_equal(wv_aspect_module_string(module, module->joinpoints[0].symbol), "one");
	assert_string_equal(wv_aspect_module_string(module, module->joinpoints[0].what), "two");
	wv_aspect_module_destroy(module);
}

static void refuse(const char *path, enum wv_code code, const char *message)
{
	struct wv_aspect_module *module = NULL;
	struct wv_error error = { 0 };

	assert_int_equal(wv_aspect_module_open(path, &module, &error), -(int)code);
	assert_null(module);
	assert_contains(error.message, message);
}

#define REFUSE(code, message, ...)                    \
	do {                                          \
		struct variant bad = good;            \
		__VA_ARGS__;                          \
		make_module(&bad);                    \
		refuse(object, code, message);        \
	} while (0)

static void corrupt_tables(void **state)
{
	REFUSE(WV_E_FORMAT, "magic", bad.magic = "1");
	REFUSE(WV_E_MISMATCH, "version 77", bad.abi = "77");
	REFUSE(WV_E_FORMAT, "no name", bad.name = "\"\"");
	REFUSE(WV_E_FORMAT, "number of joinpoints", bad.nr_joinpoints = "3");
	REFUSE(WV_E_FORMAT, "build-id", bad.build_id_size = "21");
	REFUSE(WV_E_FORMAT, "not terminated", bad.strings = "{ 0, 'a', 0, 'b', 'c', 'd' }");
	REFUSE(WV_E_FORMAT, "not terminated", bad.strings = "\"aaaaaaaaaaaa\"");
	REFUSE(WV_E_FORMAT, "outside the strings", bad.first = ".symbol = 10");
	REFUSE(WV_E_FORMAT, "outside the strings",
	       bad.second = ".text_offset = 11, .file = 4000000000");
	REFUSE(WV_E_FORMAT, "advice that is not there",
	       bad.second = ".text_offset = 0x20, .advice = 2");
	REFUSE(WV_E_FORMAT, "without a shadow", bad.second = ".text_offset = 0x20, .precision = 5");
	REFUSE(WV_E_FORMAT, "not in order", bad.second = ".text_offset = 0xf");
	REFUSE(WV_E_FORMAT, "not in order", bad.second = ".text_offset = 0x10, .advice = 0");
	REFUSE(WV_E_FORMAT, "not in order", bad.first = ".part = 1");
	REFUSE(WV_E_FORMAT, "part that is not there", bad.second = ".part = 2");
	REFUSE(WV_E_FORMAT, "past the end", bad.second = ".part = 1, .text_offset = 16");
	REFUSE(WV_E_FORMAT, "not the kernel", bad.kernel = ".module = 1");
	REFUSE(WV_E_FORMAT, "not the kernel", bad.kernel = ".anchor = 1");
	REFUSE(WV_E_FORMAT, "outside the strings", bad.kernel = ".section = 10");
	REFUSE(WV_E_FORMAT, "without a module", bad.part = ".anchor = 1, .size = 9");
	REFUSE(WV_E_FORMAT, "without a module", bad.part = ".module = 1, .size = 9");
	REFUSE(WV_E_FORMAT, "or a size", bad.part = ".module = 1, .anchor = 5");
	REFUSE(WV_E_FORMAT, "or a size",
	       bad.part = ".module = 1, .anchor = 5, .size = 9, .anchor_offset = 9");
	REFUSE(WV_E_FORMAT, "neither before nor after",
	       bad.second = ".text_offset = 0x20, .when = 7");
}

static void other_files(void **state)
{
	FILE *stream = fopen(source, "w");

	fputs("int main(void) { return 0; }\n", stream);
	fclose(stream);
	refuse(source, WV_E_FORMAT, "");
	compile("-c");
	refuse(object, WV_E_FORMAT, "not a weft aspect module: it has no section .weft.aspect");
	compile("");
	refuse(object, WV_E_FORMAT, "not a weft aspect module");
	refuse("/tmp/weft-no-such-file.ko", WV_E_FAILURE, "No such file");
	refuse("/dev/null", WV_E_FORMAT, "");
}

/* A module that is cut off anywhere must be refused, and nothing beyond its end may be read. */
static void truncated(void **state)
{
	long size;
	FILE *stream;

	make_module(&good);
	stream = fopen(object, "r");
	fseek(stream, 0, SEEK_END);
	size = ftell(stream);
	fclose(stream);
	for (long n = size - 1; n >= 0; n -= 1 + n / 40) {
		assert_int_equal(truncate(object, n), 0);
		refuse(object, WV_E_FORMAT, "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_module),
		cmocka_unit_test(corrupt_tables),
		cmocka_unit_test(other_files),
		cmocka_unit_test(truncated),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
