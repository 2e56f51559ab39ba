// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests module/build-commands.c, which reads kbuild's commands so that they can run without a
 * shell.
 */
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "cmocka-all.h"
#include "module/build-commands.h"
#include "files.h"

/*
 * Writes the commands as text: each word in brackets, one command per line, and a bar after a
 * command whose output is piped to the next.
 */
static void show(const wv_commands *commands, struct wv_str *ret)
{
	wv_vec_for_each(command, commands) {
		wv_vec_for_each(word, &command->words)
			wv_str_addf(ret, "[%s]", *word);
		wv_str_add(ret, command->piped ? "|\n" : "\n");
	}
}

static void expect(const char *line, const char *wanted)
{
	_cleanup_str_ struct wv_str text = { 0 };
	wv_commands commands = { 0 };
	struct wv_error error;

	assert_int_equal(wv_commands_parse(line, &commands, &error), 0);
	show(&commands, &text);
	assert_string_equal(wv_str_text(&text), wanted);
	wv_commands_deinit(&commands);
}

static void refuse(const char *line)
{
	wv_commands commands = { 0 };
	struct wv_error error;

	assert_int_equal(wv_commands_parse(line, &commands, &error), -WV_E_FORMAT);
	wv_commands_deinit(&commands);
}

static void words(void **state)
{
	expect("", "");
	expect("gcc -c  -o a.o\ta.c ", "[gcc][-c][-o][a.o][a.c]\n");
	expect("gcc -DNAME='\"a b\"' -D\"X=1\"''", "[gcc][-DNAME=\"a b\"][-DX=1]\n");
	expect("gcc ''", "[gcc][]\n");
	expect("gcc a\\ b", "[gcc][a b]\n");
}

static void several(void **state)
{
	expect("gcc -o a a.c ; ./objtool a;  true", "[gcc][-o][a][a.c]\n[./objtool][a]\n");
	expect("a && b; :", "[a]\n[b]\n");
	expect("sed 's/ko$/o/' a | modpost -T -", "[sed][s/ko$/o/][a]|\n[modpost][-T][-]\n");
}

/* A command that needs a shell must be refused. */
static void shells(void **state)
{
	static const char *const lines[] = { "a > b", "a < b", "a $b", "a `b`", "(a)", "a *.o",
					     "a || b", "a & b", "a 'b", "a \"$b\"", "{ a; }",
					     "a ~", "a #b", "a\nb", "a b?", "a [b]" };

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		refuse(lines[i]);
}

static void expect_file(const char *content, int code, const char *wanted)
{
	const char *path = files_write(".a.o.cmd", content, strlen(content));
	_cleanup_str_ struct wv_str text = { 0 };
	wv_commands commands = { 0 };
	struct wv_error error;

	assert_int_equal(wv_commands_read(path, &commands, &error), code);
	show(&commands, &text);
	if (!code)
		assert_string_equal(wv_str_text(&text), wanted);
	wv_commands_deinit(&commands);
}

static void files(void **state)
{
	expect_file("cmd_a.o := gcc a.c\n\nsource_a.o := a.c\n", 0, "[gcc][a.c]\n");
	expect_file("savedcmd_a.o := gcc a.c", 0, "[gcc][a.c]\n");
	expect_file("cmd_a.o := sed 's/ko$$/o$(pound)/'\n", 0, "[sed][s/ko$/o#/]\n");
	expect_file("cmd_a.o := gcc $(shell b)\n", -WV_E_FORMAT, NULL);
	expect_file("a.o: a.c\n", -WV_E_FORMAT, NULL);
	expect_file("", -WV_E_FORMAT, NULL);
}

static void equal(void **state)
{
	wv_commands one = { 0 }, two = { 0 };
	struct wv_error error;

	assert_true(wv_commands_equal(&one, &two));
	assert_int_equal(wv_commands_parse("a b; c", &one, &error), 0);
	assert_false(wv_commands_equal(&one, &two));
	assert_int_equal(wv_commands_parse("a b; c", &two, &error), 0);
	assert_true(wv_commands_equal(&one, &two));
	wv_commands_deinit(&two);
	assert_int_equal(wv_commands_parse("a b; d", &two, &error), 0);
	assert_false(wv_commands_equal(&one, &two));
	wv_commands_deinit(&one);
	wv_commands_deinit(&two);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),  cmocka_unit_test(several), cmocka_unit_test(shells),
		cmocka_unit_test(files), cmocka_unit_test(equal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
