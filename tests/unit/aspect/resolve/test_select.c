// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the way from a pointcut's matches to the aspect's table of joinpoints: the order of the
 * table, matches of one shadow that are merged, joinpoints without shadows. Also tests how messages
 * of the compiler are translated for the author.
 */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cmocka-all.h"

#include "module/diagnose.h"
#include "aspect/generate/generate.h"
#include "module/headers.h"
#include "aspect/language/load.h"
#include "aspect/resolve/select.h"
#include "files.h"

#define TEXT 0xffffffff81000000

static struct wv_aspect *load(const char *text)
{
	struct wv_error error = { 0 };
	struct wv_aspect *aspect = NULL;

	if (wv_aspect_load(files_write("a.xml", text, strlen(text)), &aspect, &error))
		fail_msg("%u:%u: %s", error.line, error.column, error.message);
	return aspect;
}

static void add(struct wv_matches *matches, uint64_t address, uint32_t line,
		enum weft_precision precision)
{
	struct wv_match *match = wv_vec_push(&matches->list);

	match->structure = "s";
	match->member = "m";
	match->kind = "get";
	match->function = match->symbol = "f";
	match->file = "f.c";
	match->line = line;
	match->address = address;
	match->precision = precision;
}

/* Selects @matches as if the database had returned them for the only leaf of pointcut @index. */
static int select_matches(struct wv_selection *selection, const struct wv_aspect *aspect,
			  size_t index, struct wv_matches *matches, struct wv_error *error)
{
	struct wv_picks picks = { 0 };

	wv_vec_for_each(match, &matches->list) {
		struct wv_picked *picked = wv_vec_push(&picks.list);

		*picked = (struct wv_picked){
			match, &aspect->pointcuts.data[index].pick->pointcut
		};
	}
	*(struct wv_matches *)wv_vec_push(&picks.matches) = *matches;
	memset(matches, 0, sizeof(*matches));
	return wv_selection_add(selection, aspect, index, &picks, TEXT, error);
}

static const char two[] =
	"<aspect name=\"a\">\n"
	"<pointcut name=\"p\"><member-access struct=\"s\" name=\"m\"/></pointcut>\n"
	"<pointcut name=\"q\"><function name=\"f\"/></pointcut>\n"
	"<before-advice pointcut=\"q\">one();</before-advice>\n"
	"<before-advice pointcut=\"p\">two();</before-advice>\n"
	"<before-advice pointcut=\"q\">three();</before-advice>\n</aspect>\n";

static void by_shadow_then_advice(void **state)
{
	struct wv_aspect *aspect = load(two);
	struct wv_selection selection = { 0 };
	struct wv_matches p = { 0 }, q = { 0 };
	struct wv_error error = { 0 };

	add(&p, TEXT + 0x30, 1, WEFT_PRECISION_EXACT);
	add(&p, TEXT + 0x10, 2, WEFT_PRECISION_EXACT);
	add(&q, TEXT + 0x10, 3, WEFT_PRECISION_SYMBOL);
	q.list.data[0].kind = "entry";
	assert_int_equal(select_matches(&selection, aspect, 0, &p, &error), 0);
	assert_int_equal(select_matches(&selection, aspect, 1, &q, &error), 0);
	assert_int_equal(wv_selection_finish(&selection, aspect, &error), 0);
	assert_int_equal(selection.list.n, 4);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(selection.list.data[i].text_offset, 0x10);
		assert_int_equal(selection.list.data[i].advice, i);
	}
	assert_string_equal(selection.list.data[0].what, "f entry");
	assert_string_equal(selection.list.data[1].what, "s.m get");
	assert_int_equal(selection.list.data[3].text_offset, 0x30);
	assert_int_equal(selection.merged, 0);
	wv_selection_deinit(&selection);
	wv_aspect_destroy(aspect);
}

static void one_shadow_runs_an_advice_once(void **state)
{
	struct wv_aspect *aspect = load(two);
	struct wv_selection selection = { 0 };
	struct wv_matches p = { 0 };
	struct wv_error error = { 0 };

	add(&p, TEXT + 0x10, 5, WEFT_PRECISION_LINE);
	add(&p, TEXT + 0x10, 7, WEFT_PRECISION_EXACT);
	add(&p, TEXT + 0x10, 6, WEFT_PRECISION_EXACT);
	add(&p, 0, 9, WEFT_PRECISION_OPTIMIZED_OUT);
	assert_int_equal(select_matches(&selection, aspect, 0, &p, &error), 0);
	assert_int_equal(wv_selection_finish(&selection, aspect, &error), 0);
	assert_int_equal(selection.list.n, 1);
	assert_int_equal(selection.merged, 2);
	/*
	 * Of the matches of one shadow the most precise counts, then the first one in the source.
	 */
	assert_int_equal(selection.list.data[0].match->line, 6);
	assert_int_equal(selection.optimized_out.n, 1);
	assert_int_equal(selection.optimized_out.data[0].match->line, 9);
	wv_selection_deinit(&selection);
	wv_aspect_destroy(aspect);
}

static void nothing_to_weave(void **state)
{
	struct wv_aspect *aspect = load(two);
	struct wv_selection selection = { 0 };
	struct wv_matches p = { 0 }, q = { 0 };
	struct wv_error error = { 0 };

	assert_int_equal(select_matches(&selection, aspect, 0, &p, &error), -WV_E_NO_MATCH);
	assert_int_equal(error.line, 2);
	assert_int_equal(error.column, 20);
	add(&q, 0, 9, WEFT_PRECISION_OPTIMIZED_OUT);
	assert_int_equal(select_matches(&selection, aspect, 1, &q, &error), 0);
	assert_int_equal(wv_selection_finish(&selection, aspect, &error), -WV_E_NO_MATCH);
	assert_non_null(strstr(error.message, "no shadow"));
	wv_selection_deinit(&selection);
	memset(&selection, 0, sizeof(selection));
	add(&q, TEXT - 1, 9, WEFT_PRECISION_EXACT);
	assert_int_equal(select_matches(&selection, aspect, 1, &q, &error), -WV_E_FORMAT);
	wv_selection_deinit(&selection);
	wv_aspect_destroy(aspect);
}

static void generate(const struct wv_aspect *aspect, uint64_t address, struct wv_str *out)
{
	struct wv_selection selection = { 0 };
	struct wv_values values = { 0 };
	struct wv_matches matches = { 0 };
	struct wv_error error = { 0 };

	add(&matches, address, 1, WEFT_PRECISION_EXACT);
	assert_int_equal(select_matches(&selection, aspect, 0, &matches, &error), 0);
	assert_int_equal(wv_selection_finish(&selection, aspect, &error), 0);
	assert_int_equal(wv_generate(aspect, &selection, &values, "", out, &error), 0);
	wv_selection_deinit(&selection);
}

/* The hash distinguishes two modules with the same name and different content. */
static void content_hash(void **state)
{
	struct wv_aspect *aspect = load(two);
	struct wv_str one = { 0 }, again = { 0 }, other = { 0 };
	const char *a, *b;

	generate(aspect, TEXT + 0x10, &one);
	generate(aspect, TEXT + 0x10, &again);
	generate(aspect, TEXT + 0x11, &other);
	assert_string_equal(one.data, again.data);
	a = strstr(one.data, ".content = 0x");
	b = strstr(other.data, ".content = 0x");
	assert_non_null(a);
	assert_non_null(b);
	assert_true(strncmp(a, b, strlen(".content = 0x") + 16));
	wv_str_deinit(&one);
	wv_str_deinit(&again);
	wv_str_deinit(&other);
	wv_aspect_destroy(aspect);
}

/* A folder with the headers of a kernel and nothing else. */
static char headers[] = "/tmp/weft-headers-XXXXXX";

static void write_header(const char *name, const char *text)
{
	char path[256];
	FILE *stream;

	snprintf(path, sizeof(path), "%s/%s", headers, name);
	for (char *slash = path + strlen(headers); (slash = strchr(slash + 1, '/')); *slash = '/') {
		*slash = '\0';
		mkdir(path, 0700);
	}
	stream = fopen(path, "w");
	assert_non_null(stream);
	fputs(text, stream);
	fclose(stream);
}

static int make_headers(void **state)
{
	char text[256];

	if (!mkdtemp(headers))
		return -1;
	write_header("include/linux/nothing_.h", "struct other;\n");
	write_header("include/linux/nothing_like_it.h", "struct four_words { int a; };\n");
	write_header("include/aa.h", "struct four {\n\tint x;\n};\n");
	write_header("include/linux/longer/four.h", "struct four\n{\n\tint x;\n};\n");
	write_header("include/uapi/linux/four.h",
		     "/* struct four { */\n\nstruct four {\n\tint x;\n};\n");
	write_header("include/generated/f.h", "struct four {\n};\n");
	write_header("arch/x86/include/asm/own.h", "union own {\n};");
	/* The source's folder and the build folder are different. */
	write_header("source/include/net/five.h", "struct five {\n};\n");
	snprintf(text, sizeof(text), "# made\ninclude %s/source/Makefile\n", headers);
	write_header("Makefile", text);
	return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	return remove(path);
}

static int remove_headers(void **state)
{
	return nftw(headers, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void headers_that_define(void **state)
{
	char header[256];

	assert_true(wv_headers_define(headers, "struct four", header, sizeof(header)));
	assert_string_equal(header, "linux/four.h");
	assert_true(wv_headers_define(headers, "union own", header, sizeof(header)));
	assert_string_equal(header, "asm/own.h");
	assert_true(wv_headers_define(headers, "struct five", header, sizeof(header)));
	assert_string_equal(header, "net/five.h");
	assert_false(wv_headers_define(headers, "struct own", header, sizeof(header)));
	assert_false(wv_headers_define(headers, "struct other", header, sizeof(header)));
	assert_false(wv_headers_define("/nowhere", "struct four", header, sizeof(header)));
}

/* ---- tests of messages of the compiler ------------------------------------------------------- */

static void diagnose(const char *log, int code, const char *message, const char *report)
{
	struct wv_aspect *aspect =
		load("<aspect name=\"a\"><include header=\"linux/nothing.h\"/>\n"
		     "<pointcut><function name=\"f\"/></pointcut>\n"
		     "<before-advice>\n\tone(two, three);\n</before-advice></aspect>\n");
	struct wv_error error = { 0 };
	struct wv_str out = { 0 }, expected = { 0 };

	for (; *report; report++) /* An @ stands for the aspect's path. */
		wv_str_addf(&expected, *report == '@' ? "%s" : "%.1s",
			    *report == '@' ? aspect->path : report);
	assert_int_equal(wv_diagnose(aspect, headers, log, &out, &error), -code);
	assert_contains(error.message, message);
	assert_string_equal(out.data ? out.data : "", expected.data ? expected.data : "");
	wv_str_deinit(&expected);
	wv_str_deinit(&out);
	wv_aspect_destroy(aspect);
}

static void errors_of_the_compiler(void **state)
{
	diagnose("", 0, "", "");
	diagnose("make: entering\na.xml: In function 'weft_body_0':\n"
		 "a.xml:4:6: error: 'two' undeclared\n"
		 "a.xml:4:6: note: each undeclared identifier is reported only once for\n"
		 "a.xml:4:11: warning: odd\nmake: *** failed\n",
		 WV_E_ADVICE, "1 error ",
		 "@:4:6: error: 'two' undeclared\n"
		 "    \tone(two, three);\n    \t    ^\n"
		 "@:4:11: warning: odd\n"
		 "    \tone(two, three);\n    \t         ^\n");
}

static void errors_inside_a_macro(void **state)
{
	diagnose("In file included from a.c:3:\n/x/advice.h:7:5: error: no member 'q'\n"
		 "a.xml:4:2: note: in expansion of macro 'one'\n",
		 WV_E_ADVICE, "1 error ",
		 "@:4:2: error: no member 'q'\n"
		 "    \tone(two, three);\n    \t^\n");
}

static void a_header_that_is_not_there(void **state)
{
	diagnose("a.c:2:10: fatal error: linux/nothing.h: No such file or directory\n", WV_E_ADVICE,
		 "1 error ",
		 "@:1:35: error: linux/nothing.h: No such file or directory; did you mean "
		 "linux/nothing_.h?\n"
		 "    <aspect name=\"a\"><include header=\"linux/nothing.h\"/>\n"
		 "                                      ^\n");
}

static void a_type_without_its_header(void **state)
{
	diagnose("a.xml:4:6: error: invalid use of undefined type 'struct four'\n"
		 "a.xml:4:6: error: invalid application of 'sizeof' to incomplete type 'const "
		 "union own'\n"
		 "a.xml:4:6: error: invalid use of undefined type 'struct other'\n",
		 WV_E_ADVICE, "3 errors ",
		 "@:4:6: error: invalid use of undefined type 'struct four'; write <include "
		 "header=\"linux/four.h\"/>\n"
		 "    \tone(two, three);\n    \t    ^\n"
		 "@:4:6: error: invalid application of 'sizeof' to incomplete type 'const union "
		 "own'; write <include header=\"asm/own.h\"/>\n"
		 "    \tone(two, three);\n    \t    ^\n"
		 "@:4:6: error: invalid use of undefined type 'struct other'\n"
		 "    \tone(two, three);\n    \t    ^\n");
}

static void a_symbol_that_is_not_exported(void **state)
{
	diagnose("ERROR: modpost: \"one\" [/tmp/x/a.ko] undefined!\n", WV_E_ADVICE, "1 error ",
		 "@:4:2: error: the kernel does not export 'one' to modules\n"
		 "    \tone(two, three);\n    \t^\n");
}

static void errors_of_kbuild_itself(void **state)
{
	diagnose("make[1]: *** No rule to make target 'x'.  Stop.\n", WV_E_FAILURE, "No rule", "");
	diagnose("/x/include/linux/y.h:3:1: error: broken\n", WV_E_FAILURE,
		 "/x/include/linux/y.h:3: broken", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_shadow_then_advice),
		cmocka_unit_test(one_shadow_runs_an_advice_once),
		cmocka_unit_test(nothing_to_weave),
		cmocka_unit_test(content_hash),
		cmocka_unit_test(errors_of_the_compiler),
		cmocka_unit_test(errors_inside_a_macro),
		cmocka_unit_test(a_header_that_is_not_there),
		cmocka_unit_test(headers_that_define),
		cmocka_unit_test(a_type_without_its_header),
		cmocka_unit_test(a_symbol_that_is_not_exported),
		cmocka_unit_test(errors_of_kbuild_itself),
	};

	return cmocka_run_group_tests(tests, make_headers, remove_headers);
}
