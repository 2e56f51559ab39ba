// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests prepare/source-text.c: which parts a source file has, and which names each part goes by. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"

#include "base/str.h"
#include "files.h"
#include "prepare/source-text.h"

/*
 * Returns the parts of a file, one per line: "KIND NAME...: TEXT", where several blanks in TEXT are
 * one. The caller frees the text.
 */
static char *parts_of(const char *code)
{
	static const char *const kinds[] = { [WV_PART_NAMED] = "named", [WV_PART_LOOSE] = "loose",
					     [WV_PART_INCLUDE] = "include" };
	struct wv_source_text text;
	struct wv_error error;
	struct wv_str out = { 0 };
	char folder[4096];

	snprintf(folder, sizeof(folder), "%s", files_write("a.c", code, strlen(code)));
	*strrchr(folder, '/') = '\0';
	assert_int_equal(wv_source_text_read(folder, "a.c", &text, &error), 0);
	assert_string_equal(text.path, "a.c");
	wv_vec_for_each(part, &text.parts) {
		bool blank = true;

		wv_str_add(&out, kinds[part->kind]);
		for (size_t i = 0; i < part->nr_names; i++) {
			const struct wv_name *name = &text.names.data[part->first_name + i];

			wv_str_addf(&out, " %.*s", (int)name->n, name->text);
		}
		wv_str_add(&out, ":");
		for (size_t i = 0; i < part->n; i++) {
			const bool is = strchr(" \t\n", part->text[i]);

			if (!is)
				wv_str_addf(&out, "%s%c", blank ? " " : "", part->text[i]);
			blank = is;
		}
		wv_str_add(&out, "\n");
	}
	wv_source_text_deinit(&text);
	return out.data ? out.data : strdup("");
}

static void expect(const char *code, const char *wanted)
{
	char *found = parts_of(code);

	assert_string_equal(found, wanted);
	free(found);
}

static void directives(void **state)
{
	expect("#include <linux/fs.h>\n  #  include \"own.h\" // x\n#undef A\n",
	       "include: linux/fs.h\ninclude: own.h\n");
	expect("#define GET(p) \\\n\t((p)->len)\n#ifdef X\n#define NONE\n#endif\n",
	       "named GET: (p) ((p)->len)\nnamed NONE:\n");
}

static void comments_and_literals(void **state)
{
	/* In comments and strings nothing is code. */
	expect("/* int f(void) { } */ // g()\nint x = 1; /* ; */\n", "loose: int x = 1\n");
	expect("char *s = \"a;b{\\\"c\";\nchar q = '{';\nint y = 2;\n",
	       "loose: char *s =\nloose: char q =\nloose: int y = 2\n");
	expect("int x = 1; /* never ends", "loose: int x = 1\n");
}

static void functions(void **state)
{
	expect("int open(int a)\n{\n\tif (a) { return b->c; }\n\treturn 0;\n}\n",
	       "loose: int open(int a) { if (a) { return b->c; } return 0; }\n");
	expect("static inline int twice(int a)\n{\n\treturn 2 * a;\n}\n",
	       "named twice: static inline int twice(int a) { return 2 * a; }\n");
	/* A macro with arguments that stands before the name is not the name. */
	expect("static __printf(1, 2) void say(const char *f, ...)\n{\n}\n",
	       "named say: static __printf(1, 2) void say(const char *f, ...) { }\n");
}

static void declarations_are_no_parts(void **state)
{
	expect("int open(int a);\nextern struct s t;\ntypedef int (*f)(int);\nstruct s;\n", "");
	expect("struct s {\n\tint a;\n\tvoid (*f)(int);\n};\nenum { A, B };\n", "");
	/* A struct's initializer and a macro's invocation are emitted, however. */
	expect("static struct s t = {\n\t.a = 1,\n};\nMODULE_LICENSE(\"GPL\");\n",
	       "loose: static struct s t = { .a = 1, }\nloose: MODULE_LICENSE( )\n");
}

/*
 * Tests a function whose braces do not match, because each branch of an #if opens one. The function
 * must end at the brace at the beginning of a line.
 */
static void branches(void **state)
{
	expect("int f(void)\n{\n#ifdef A\n\tif (a) {\n#else\n\tif (b) {\n#endif\n\t}\n}\n"
	       "int x = 1;\n",
	       "loose: int f(void) { if (a) { if (b) { } }\nloose: int x = 1\n");
	/* The end of the file cuts the function off. */
	expect("int f(void)\n{\n\treturn 0;\n", "loose: int f(void) { return 0;\n");
}

static void words(void **state)
{
	static const char text[] = " a->b_1(2);";
	size_t at = 0, n;
	const char *word = wv_next_word(text, strlen(text), &at, &n);

	assert_true(word == text + 1 && n == 1 && at == 2);
	word = wv_next_word(text, strlen(text), &at, &n);
	assert_true(n == 3 && !strncmp(word, "b_1", n));
	word = wv_next_word(text, strlen(text), &at, &n);
	assert_true(n == 1 && *word == '2');
	assert_null(wv_next_word(text, strlen(text), &at, &n));
}

static void no_such_file(void **state)
{
	struct wv_source_text text;
	struct wv_error error;

	assert_int_equal(wv_source_text_read("/nowhere", "a.c", &text, &error), -WV_E_FAILURE);
	assert_contains(error.message, "/nowhere/a.c");
	wv_source_text_deinit(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(directives),
		cmocka_unit_test(comments_and_literals),
		cmocka_unit_test(functions),
		cmocka_unit_test(declarations_are_no_parts),
		cmocka_unit_test(branches),
		cmocka_unit_test(words),
		cmocka_unit_test(no_such_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
