// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests module/recipe.c and recipe-words.c: a recipe that was written is read back, and is not
 * valid any more when a file that it depends on has changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cmocka-all.h"
#include "module/recipe-words.h"
#include "module/recipe.h"
#include "files.h"

static const struct wv_kbuild_folders folders = { "/kernel", "/runtime", "/kmod" };
static char own[4096], program[4096], header[4096];

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void make_command(struct wv_recipe *recipe, enum wv_recipe_step step, const char *line)
{
	struct wv_error error;

	assert_int_equal(wv_commands_parse(line, &recipe->steps[step], &error), 0);
}

static void write_recipe(const char *reason)
{
	struct wv_recipe recipe = { .own = strdup(own), .directory = strdup("/kernel"),
				    .reason = reason ? strdup(reason) : NULL };
	struct wv_error error;

	make_command(&recipe, WV_RECIPE_SOURCE, "weft-cc -c 'a b' ''; objtool");
	make_command(&recipe, WV_RECIPE_LINK, "ld");
	wv_str_add(&recipe.texts[WV_RECIPE_NAMES], "#define A 1\n#define B\n");
	wv_str_add(&recipe.texts[WV_RECIPE_LIST], "a.o\n");
	assert_int_equal(wv_recipe_add_program(&recipe, "weft-cc", &error), 0);
	assert_int_equal(wv_recipe_add_file(&recipe, header, &error), 0);
	assert_int_equal(wv_recipe_add_file(&recipe, "inside.h", &error), 0);
	assert_int_equal(wv_recipe_write(&recipe, own, &folders, &error), 0);
	wv_recipe_deinit(&recipe);
}

/*
 * Makes a recipe that depends on a compiler in PATH, a header elsewhere, and a header in the
 * recipe's own folder.
 */
static int setup(void **state)
{
	char path[4200];

	snprintf(own, sizeof(own), "%s", files_path("own"));
	snprintf(program, sizeof(program), "%s", files_path("weft-cc"));
	snprintf(header, sizeof(header), "%s", files_path("header.h"));
	mkdir(own, 0700);
	snprintf(path, sizeof(path), "%s/inside.h", own);
	write_text(path, "inside");
	write_text(program, "#!/bin/sh\n");
	chmod(program, 0700);
	write_text(header, "header");
	*strrchr(strcpy(path, program), '/') = '\0';
	setenv("PATH", path, 1);
	write_recipe(NULL);
	return 0;
}

static bool is_valid(const struct wv_kbuild_folders *of)
{
	struct wv_recipe recipe;
	bool ret = wv_recipe_read(&recipe, own, of);

	wv_recipe_deinit(&recipe);
	return ret;
}

static void reads(void **state)
{
	struct wv_recipe recipe;
	const struct wv_command *command;

	assert_true(wv_recipe_read(&recipe, own, &folders));
	assert_null(recipe.reason);
	assert_string_equal(recipe.directory, "/kernel");
	assert_string_equal(recipe.own, own);
	assert_int_equal(recipe.files.n, 3);
	assert_int_equal(recipe.steps[WV_RECIPE_SOURCE].n, 2);
	command = &recipe.steps[WV_RECIPE_SOURCE].data[0];
	assert_int_equal(command->words.n, 4);
	assert_string_equal(command->words.data[2], "a b");
	assert_string_equal(command->words.data[3], "");
	assert_int_equal(recipe.steps[WV_RECIPE_MODPOST].n, 0);
	assert_int_equal(recipe.steps[WV_RECIPE_LINK].n, 1);
	assert_string_equal(wv_str_text(&recipe.texts[WV_RECIPE_NAMES]),
			    "#define A 1\n#define B\n");
	assert_string_equal(wv_str_text(&recipe.texts[WV_RECIPE_OBJECTS]), "");
	assert_string_equal(wv_str_text(&recipe.texts[WV_RECIPE_LIST]), "a.o\n");
	wv_recipe_deinit(&recipe);
	write_recipe("it is odd");
	assert_true(wv_recipe_read(&recipe, own, &folders));
	assert_string_equal(recipe.reason, "it is odd");
	wv_recipe_deinit(&recipe);
}

static void other_folders(void **state)
{
	assert_false(is_valid(&(struct wv_kbuild_folders){ "/other", "/runtime", "/kmod" }));
	assert_false(is_valid(&(struct wv_kbuild_folders){ "/kernel", "/other", "/kmod" }));
	assert_false(is_valid(&(struct wv_kbuild_folders){ "/kernel", "/runtime", "/other" }));
	assert_true(is_valid(&folders));
}

static void changed_files(void **state)
{
	char inside[4200];

	write_text(header, "HEADER");
	assert_false(is_valid(&folders));
	write_recipe(NULL);
	assert_true(is_valid(&folders));
	snprintf(inside, sizeof(inside), "%s/inside.h", own);
	write_text(inside, "");
	assert_false(is_valid(&folders));
	write_recipe(NULL);
	unlink(header);
	assert_false(is_valid(&folders));
}

/*
 * If PATH leads to a compiler in another folder, that counts as another compiler even if the file
 * is the same, since the programs next to it may be others.
 */
static void changed_program(void **state)
{
	char path[9000], first[4200], other[4300];

	snprintf(first, sizeof(first), "%s/first", own);
	mkdir(first, 0700);
	snprintf(path, sizeof(path), "%s:%s", first, getenv("PATH"));
	setenv("PATH", path, 1);
	assert_true(is_valid(&folders));
	snprintf(other, sizeof(other), "%s/weft-cc", first);
	assert_int_equal(link(program, other), 0);
	assert_false(is_valid(&folders));
	unlink(other);
	unlink(program);
	assert_false(is_valid(&folders));
}

/* A recipe that is cut off or changed anywhere must not be valid. Reading it must not crash. */
static void damaged(void **state)
{
	unsigned char *bytes;
	char path[4200];
	size_t n;

	snprintf(path, sizeof(path), "%s/recipe", own);
	bytes = files_read(path, &n);
	for (size_t i = 0; i < n; i++) {
		FILE *file = fopen(path, "w");

		bytes[i] ^= 1;
		fwrite(bytes, 1, n, file);
		fclose(file);
		assert_false(is_valid(&folders));
		bytes[i] ^= 1;
		assert_int_equal(truncate(path, i), 0);
		assert_false(is_valid(&folders));
	}
	free(bytes);
}

static void keys(void **state)
{
	const struct wv_kbuild_folders shifted = { "/kernel/runtime", "", "/kmod" };
	char one[17], two[17];

	wv_recipe_key(&folders, one);
	wv_recipe_key(&shifted, two);
	assert_int_equal(strlen(one), 16);
	assert_string_not_equal(one, two);
}

/* ---- the words of a recipe's commands are generalized and expanded --------------------------- */

static void expect_expanded(const char *text, const char *name, const char *wanted)
{
	const struct wv_recipe recipe = { .own = "/own" };
	_cleanup_str_ struct wv_str ret = { 0 };

	wv_recipe_expand(&recipe, text, "/tmp/x", name, &ret);
	assert_string_equal(wv_str_text(&ret), wanted);
}

static void expands(void **state)
{
	struct wv_error error;
	char *text = strdup("-o/tmp/p/probe.o,probe");

	assert_int_equal(wv_recipe_generalize(&text, "/tmp/p", "probe", &error), 0);
	expect_expanded(text, "mine", "-o/tmp/x/mine.o,mine");
	expect_expanded("\003/aspect.h", "mine", "/own/aspect.h");
	/*
	 * A text that has placeholders already must be refused, since they could not be told from
	 * new ones.
	 */
	assert_int_equal(wv_recipe_generalize(&text, "/tmp/p", "probe", &error), -WV_E_FORMAT);
	free(text);
}

/*
 * Merges two texts that differ only because @left was made with a name of 3 letters and @right with
 * a name of 5 letters. Fails the test unless the merged text becomes @wanted when a name of 8
 * letters is put in. If @wanted is NULL, merging must fail.
 */
static void expect_merged(const char *left, const char *right, const char *wanted)
{
	_cleanup_str_ struct wv_str ret = { 0 };

	if (!wanted) {
		assert_false(wv_recipe_merge(left, 3, right, 5, &ret));
		return;
	}
	assert_true(wv_recipe_merge(left, 3, right, 5, &ret));
	expect_expanded(wv_str_text(&ret), "eight888", wanted);
}

static void lengths(void **state)
{
	expect_merged("", "", "");
	expect_merged(".size a, 4\n.zero 53\n", ".size a, 6\n.zero 51\n",
		      ".size a, 9\n.zero 48\n");
	expect_merged("x007.9 0x10", "x007.9 0x10", "x007.9 0x10");
	expect_merged("8", "10", "13");
	expect_merged("10", "8", "5");
	expect_merged("4", "5", NULL);
	/*
	 * The numbers differ by 2, as the lengths of the names do, which are 3 and 5. But a number
	 * that includes the length of @left's name is at least 3, and @left is 1: merging fails.
	 */
	expect_merged("1", "3", NULL);
	expect_merged("a", "b", NULL);
	expect_merged("a", "ab", NULL);
	expect_merged("4", "a", NULL);
}

static void lists(void **state)
{
	_cleanup_str_ struct wv_str line = { 0 };
	struct wv_error error;

	assert_int_equal(wv_recipe_list_line("/p/a_b.ko\n/p/a.ko\n/p/b.ko\n", "/p", "a", &line,
					     &error), 0);
	assert_string_equal(wv_str_text(&line), "\001/\002.o\n");
	assert_int_equal(wv_recipe_list_line("/p/a_b.ko\n", "/p", "a", &line, &error),
			 -WV_E_FORMAT);
}

static void modposts(void **state)
{
	static const struct {
		const char *line, *wanted;
	} cases[] = {
		{ "sed 's/ko$/o/' a/modules.order | scripts/mod/modpost -m -T -",
		  "scripts/mod/modpost" },
		{ "modpost -T modules.order", "modpost" },
		{ "awk x a/modules.order | modpost -T -", NULL },
		{ "modpost modules.order -o x", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		wv_commands commands = { 0 };
		struct wv_error error;

		assert_int_equal(wv_commands_parse(cases[i].line, &commands, &error), 0);
		assert_int_equal(wv_recipe_give_list(&commands, &error),
				 cases[i].wanted ? 0 : -WV_E_FORMAT);
		if (cases[i].wanted) {
			const struct wv_command *command = &commands.data[0];

			assert_int_equal(commands.n, 1);
			assert_string_equal(command->words.data[0], cases[i].wanted);
			assert_string_equal(command->words.data[command->words.n - 1],
					    "\001/\002.list");
		}
		wv_commands_deinit(&commands);
	}
}

static void headers(void **state)
{
	_cleanup_str_ struct wv_str names = { 0 }, text = { 0 };
	wv_commands commands = { 0 };
	struct wv_command header_command = { 0 };
	struct wv_error error;
	char *word;

	assert_int_equal(wv_commands_parse("gcc -Wp,-MMD,x.d -I. -include ./a.h -include /b.h "
					   "-DK -DN='\"name\"' -fcallgraph-info=su -c -o name.o "
					   "name.c", &commands, &error), 0);
	wv_vec_for_each(each, &commands.data[0].words)
		assert_int_equal(wv_recipe_generalize(each, "/p", "name", &error), 0);
	assert_int_equal(wv_recipe_use_header(&commands, "h.h", ".n.h", "/r", "/k", &names, &text,
					      &error), 0);
	assert_string_equal(wv_str_text(&text), "#include \"/k/./a.h\"\n#include \"/b.h\"\n");
	assert_string_equal(wv_str_text(&names), "#define N \"\002\"\n");
	word = commands.data[0].words.data[2];
	assert_string_equal(word, "\003/h.h");
	assert_int_equal(wv_recipe_header_command(&commands.data[0], &header_command, &error), 0);
	assert_int_equal(header_command.words.n, 4);
	assert_string_equal(header_command.words.data[1], "-I.");
	assert_string_equal(header_command.words.data[2], "-DK");
	wv_command_deinit(&header_command);
	wv_commands_deinit(&commands);
}

/* Register variables at file scope must be found, and those inside functions must not. */
static void registers(void **state)
{
	_cleanup_str_ struct wv_str names = { 0 };

	wv_recipe_add_registers("int a;\nregister unsigned long sp asm(\"rsp\");\n"
				"{\n register long b asm(\"rax\");\n}\nregister int c;\n"
				"register long d asm(\"r15\");", &names);
	assert_string_equal(wv_str_text(&names),
			    "register unsigned long weft_register_rsp asm(\"rsp\");\n"
			    "register unsigned long weft_register_r15 asm(\"r15\");\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(reads, setup),
		cmocka_unit_test_setup(other_folders, setup),
		cmocka_unit_test_setup(changed_files, setup),
		cmocka_unit_test_setup(changed_program, setup),
		cmocka_unit_test_setup(damaged, setup),
		cmocka_unit_test(keys),
		cmocka_unit_test(expands),
		cmocka_unit_test(lengths),
		cmocka_unit_test(lists),
		cmocka_unit_test(modposts),
		cmocka_unit_test(headers),
		cmocka_unit_test(registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
