// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests what module/compile-module.c gives its caller: everything that it reports must come back as
 * messages, in order, and nothing may be printed. Modules are built in tests/refuse and tests/vm.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmocka-all.h"

#include "module/compile-module.h"
#include "files.h"
#include "index/build.h"

static int build(void **state)
{
	struct wv_index_totals totals;
	struct wv_error error = { 0 };

	if (!wv_index_build(SAMPLE, files_path("sample.weft"), &totals, &error))
		return 0;
	fprintf(stderr, "%s: %s\n", error.file, error.message);
	return -1;
}

/* Calls wv_compile() without making a module; fails the test if it prints. */
static int compile(const char *text, size_t limit, struct wv_compile_result *ret,
		   struct wv_error *error)
{
	const struct wv_compile what = {
		.aspect = files_write("a.xml", text, strlen(text)),
		.db = files_path("sample.weft"),
		.limit = limit,
	};
	const int printed = open(files_path("printed"), O_RDWR | O_CREAT | O_TRUNC, 0600);
	const int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
	int result;

	fflush(NULL);
	dup2(printed, STDOUT_FILENO);
	dup2(printed, STDERR_FILENO);
	result = wv_compile(&what, 1, ret, error);
	fflush(NULL);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	assert_int_equal(lseek(printed, 0, SEEK_END), 0);
	close(printed);
	return result;
}

static void assert_message(const struct wv_compile_result *compiled, size_t index,
			   enum wv_message_kind kind, const char *part)
{
	assert_true(index < compiled->messages.list.n);
	assert_int_equal(compiled->messages.list.data[index].kind, kind);
	assert_contains(compiled->messages.list.data[index].text, part);
}

#define BOUND "<pointcut name=\"p\"><function name=\"destroy\"/></pointcut>\n"
#define ADVICE "<before-advice pointcut=\"p\">;</before-advice>\n"

static void notes_come_back(void **state)
{
	struct wv_error error = { 0 };
	struct wv_compile_result compiled;
	struct wv_str text = { 0 };

	assert_int_equal(compile("<aspect name=\"a\">\n" BOUND
				 "<pointcut name=\"q\"><function name=\"nothing\"/></pointcut>\n"
				 ADVICE "</aspect>", SIZE_MAX, &compiled, &error), 0);
	assert_int_equal(compiled.shadows, 1);
	assert_contains(compiled.source.data, "weft_joinpoints");
	assert_int_equal(compiled.messages.list.n, 2);
	assert_message(&compiled, 0, WV_MESSAGE_NOTE,
		       "a.xml:3:20: note: no advice is bound to pointcut 'q'");
	assert_message(&compiled, 1, WV_MESSAGE_NOTE, "note: no function 'nothing'");
	wv_messages_text(&compiled.messages, WV_MESSAGE_BIT(WV_MESSAGE_NOTE), &text);
	assert_int_equal(strncmp(text.data, "weft: ", 6), 0);
	assert_int_equal(text.data[text.n - 1], '\n');
	wv_str_deinit(&text);
	wv_messages_text(&compiled.messages, WV_MESSAGE_BIT(WV_MESSAGE_LOG), &text);
	assert_int_equal(text.n, 0);
	wv_compile_result_deinit(&compiled);
}

/* If there are several errors, the call fails with the last one. */
static void errors_come_back(void **state)
{
	struct wv_error error = { 0 };
	struct wv_compile_result compiled;

	assert_int_equal(compile("<aspect name=\"a\">\n" BOUND
				 "<before-advice>$foo $bar</before-advice></aspect>", SIZE_MAX,
				 &compiled, &error), -WV_E_ASPECT);
	assert_int_equal(compiled.messages.list.n, 1);
	assert_message(&compiled, 0, WV_MESSAGE_ERROR, "a.xml:3:16: unknown variable $foo");
	assert_contains(error.message, "unknown variable $bar");
	wv_compile_result_deinit(&compiled);

	assert_int_equal(compile("<aspect name=\"a\">\n<pointcut name=\"p\"><or>"
				 "<function name=\"nix\"/><function name=\"nil\"/></or></pointcut>"
				 ADVICE "</aspect>", SIZE_MAX, &compiled, &error), -WV_E_NO_MATCH);
	assert_message(&compiled, 0, WV_MESSAGE_ERROR, "'nix'");
	assert_contains(error.message, "'nil'");
	wv_compile_result_deinit(&compiled);
}

static void what_is_missing(void **state)
{
	struct wv_error error = { 0 };
	struct wv_compile_result compiled;

	assert_int_equal(compile("<aspect name=\"a\">" BOUND "</aspect>", SIZE_MAX, &compiled,
				 &error), -WV_E_ASPECT);
	assert_contains(error.message, "there is no advice");
	wv_compile_result_deinit(&compiled);
	assert_int_equal(compile("<aspect name=\"a\">" BOUND ADVICE "</aspect>", 0, &compiled,
				 &error), -WV_E_TOO_MANY);
	assert_contains(error.message, "more than the 0");
	wv_compile_result_deinit(&compiled);
	/*
	 * A local variable, $(x), is known only from the kernel's DWARF, so the kernel is needed.
	 */
	assert_int_equal(compile("<aspect name=\"a\">" BOUND
				 "<before-advice>$(x);</before-advice></aspect>", SIZE_MAX,
				 &compiled, &error), -WV_E_USAGE);
	assert_contains(error.message, "--kernel is missing");
	wv_compile_result_deinit(&compiled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(notes_come_back),
		cmocka_unit_test(errors_come_back),
		cmocka_unit_test(what_is_missing),
	};

	return cmocka_run_group_tests_name("compile_module", tests, build, NULL);
}
