// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests prepare/choose-units.c and mentions.c: which units are compiled for a folder, a file, a
 * module, or a word that the text of a unit or of a header has.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmocka-all.h"

#include "files.h"
#include "prepare/choose-units.h"
#include "prepare/folders.h"
#include "prepare/mentions.h"

/* The files of the source, with their text. */
static const struct {
	const char *path, *text;
} source[] = {
	{ "fs/namei.c", "#include \"internal.h\"\n#include <linux/fs.h>\n"
			"int f(struct s *s)\n{\n\treturn get_len(s);\n}\n" },
	{ "fs/ext4/namei.c", "#include \"../internal.h\"\nint g(void)\n{\n\treturn 0;\n}\n" },
	{ "net/core.c", "#include <linux/fs.h>\nint h(struct s *s)\n{\n\treturn SIZE(s);\n}\n" },
	{ "net/other.c", "int k(struct s *s)\n{\n\treturn s->weight;\n}\n" },
	{ "fs/internal.h", "int of_internal = 1;\n" },
	/*
	 * get_len() uses a member, SIZE() uses one by another macro, and MODULE_X is emitted in
	 * every unit that includes the header.
	 */
	{ "include/linux/fs.h", "static inline int get_len(struct s *s)\n{\n\treturn s->len;\n}\n"
				"#define SIZE(s) DEEPER(s)\n#define DEEPER(s) ((s)->depth)\n"
				"MODULE_X(everywhere);\n" },
	{ "arch/x86/include/asm/s.h", "#define UNUSED(s) ((s)->never)\n" },
};
enum { UNITS = 4, FILES = sizeof(source) / sizeof(*source) };

static char folder[PATH_MAX];

static int write_source(void **state)
{
	snprintf(folder, sizeof(folder), "%s", files_path("source"));
	for (size_t i = 0; i < FILES; i++) {
		char path[2 * PATH_MAX];
		struct wv_error error;
		FILE *stream;

		snprintf(path, sizeof(path), "%s/%s", folder, source[i].path);
		*strrchr(path, '/') = '\0';
		if (wv_make_folders(path, &error))
			return -1;
		snprintf(path, sizeof(path), "%s/%s", folder, source[i].path);
		stream = fopen(path, "w");
		if (!stream || fputs(source[i].text, stream) == EOF || fclose(stream))
			return -1;
	}
	return 0;
}

static int remove_source(void **state)
{
	wv_remove_folder(folder);
	return 0;
}

/* Makes a kernel of the first three units and an assembler file, and a module of the last unit. */
static void begin(struct wv_prepare *prepare)
{
	wv_prepare_init(prepare);
	wv_str_add(&prepare->source_found, folder);
	wv_str_add(&prepare->image_found, "vmlinux");
	for (size_t i = 0; i < 2; i++) {
		struct wv_prepared_image *image = wv_vec_push(&prepare->images);

		assert_non_null(image);
		strcpy(image->name, i ? "other" : "vmlinux");
		image->path = strdup(image->name);
	}
	for (uint32_t i = 0; i <= UNITS; i++) {
		const char *name = i == UNITS ? "arch/entry.S" : source[i].path;
		uint32_t *slot = wv_vec_push(&prepare->images.data[i == 3].units);

		*slot = wv_pool_add(&prepare->units, name);
	}
}

/* Compares the chosen units with @wanted, which is like "fs/namei.c net/core.c". */
static void expect(struct wv_prepare *prepare, const char *wanted)
{
	struct wv_str found = { 0 };

	wv_vec_for_each(unit, &prepare->chosen)
		wv_str_addf(&found, "%s%s", found.n ? " " : "",
			    wv_pool_get(&prepare->units, *unit));
	assert_string_equal(wv_str_text(&found), wanted);
	wv_str_deinit(&found);
	prepare->chosen.n = 0;
}

static void by_names(void **state)
{
	struct wv_prepare prepare;
	struct wv_error error;

	begin(&prepare);
	assert_int_equal(wv_units_choose_folder(&prepare, "fs/", &error), 0);
	assert_int_equal(wv_units_choose_folder(&prepare, "fs/ext4", &error), 0);
	expect(&prepare, "fs/namei.c fs/ext4/namei.c");
	assert_int_equal(wv_units_choose_folder(&prepare, "fs/ext4/namei.c", &error), 0);
	expect(&prepare, "fs/ext4/namei.c");
	/* The beginning of a name, and an assembler file, choose no unit. */
	assert_int_equal(wv_units_choose_folder(&prepare, "fs/name", &error), -WV_E_NO_MATCH);
	assert_contains(error.message, "fs/name");
	assert_int_equal(wv_units_choose_folder(&prepare, "arch", &error), -WV_E_NO_MATCH);
	assert_int_equal(wv_units_choose_file(&prepare, "vmlinux", "namei.c", &error), 0);
	expect(&prepare, "fs/namei.c fs/ext4/namei.c");
	assert_int_equal(wv_units_choose_file(&prepare, NULL, "ext4/namei.c", &error), 0);
	expect(&prepare, "fs/ext4/namei.c");
	assert_int_equal(wv_units_choose_all(&prepare, "oth*", &error), 0);
	expect(&prepare, "net/other.c");
	assert_int_equal(wv_units_choose_all(&prepare, "vmlinux", &error), 0);
	expect(&prepare, "fs/namei.c fs/ext4/namei.c net/core.c");
	wv_prepare_deinit(&prepare);
}

static void expect_mentions(struct wv_prepare *prepare, struct wv_mentions *mentions,
			    const char *word, const char *wanted)
{
	struct wv_error error;
	int ret = wv_units_choose_mentions(prepare, mentions, word, NULL, &error);

	assert_int_equal(ret, *wanted ? 0 : -WV_E_NO_MATCH);
	if (ret)
		assert_contains(error.message, word);
	expect(prepare, wanted);
}

static void by_mentions(void **state)
{
	struct wv_mentions *mentions = NULL;
	struct wv_prepare prepare;
	struct wv_error error;

	begin(&prepare);
	assert_int_equal(wv_mentions_read(&prepare, &mentions, &error), 0);
	/*
	 * The word is in the unit's own text, or in a function or a macro's macro that the unit
	 * uses.
	 */
	expect_mentions(&prepare, mentions, "weight", "net/other.c");
	expect_mentions(&prepare, mentions, "len", "fs/namei.c");
	expect_mentions(&prepare, mentions, "depth", "net/core.c");
	/* The word is in code that a header emits wherever it is included. */
	expect_mentions(&prepare, mentions, "everywhere", "fs/namei.c net/core.c");
	expect_mentions(&prepare, mentions, "of_internal", "fs/namei.c fs/ext4/namei.c");
	/* The word is in a macro that no unit uses, or nowhere. */
	expect_mentions(&prepare, mentions, "never", "");
	expect_mentions(&prepare, mentions, "nowhere", "");
	assert_int_equal(wv_units_choose_mentions(&prepare, mentions, "len", "other", &error),
			 -WV_E_NO_MATCH);
	wv_mentions_destroy(mentions);
	wv_prepare_deinit(&prepare);
}

static bool is_namei(const struct wv_prepare *prepare, uint32_t unit)
{
	return strstr(wv_pool_get(&prepare->units, unit), "namei.c");
}

static uint32_t count_of(const struct wv_mention_counts *counts, const char *word)
{
	uint32_t number = wv_pool_find(&counts->words, word);

	return number == WV_POOL_FAILED ? 0 : counts->units.data[number];
}

static void counts_of_words(void **state)
{
	struct wv_mention_counts counts = { 0 };
	struct wv_mentions *mentions = NULL;
	struct wv_prepare prepare;
	struct wv_error error;

	begin(&prepare);
	assert_int_equal(wv_mentions_read(&prepare, &mentions, &error), 0);
	assert_int_equal(wv_mentions_count(&prepare, mentions, &prepare.images.data[0], is_namei,
					   &counts, &error), 0);
	assert_int_equal(count_of(&counts, "of_internal"), 2);
	assert_int_equal(count_of(&counts, "len"), 1);
	assert_int_equal(count_of(&counts, "depth"), 0);
	wv_pool_deinit(&counts.words);
	wv_vec_deinit(&counts.units);
	wv_mentions_destroy(mentions);
	wv_prepare_deinit(&prepare);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_names),
		cmocka_unit_test(by_mentions),
		cmocka_unit_test(counts_of_words),
	};

	return cmocka_run_group_tests(tests, write_source, remove_source);
}
