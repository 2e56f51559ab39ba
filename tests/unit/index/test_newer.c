// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests index/newer.c and cmds/source-lines.c, which notice sources that were changed after an
 * image or a database was made.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmocka-all.h"
#include "cmds/source-lines.h"
#include "files.h"
#include "index/newer.h"

/* Writes a file in the test's folder whose time of change is @seconds after 1970. */
static const char *write_at(const char *name, time_t seconds)
{
	const struct timespec times[] = { { .tv_sec = seconds }, { .tv_sec = seconds } };
	const char *path = files_write(name, "int a;\n", 7);

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	return path;
}

static void test_newer_than_image(void **state)
{
	char *folder = strdup(files_path(""));
	const char *image = write_at("image", 1000);
	char example[64] = "";
	struct wv_paths paths = { 0 };

	wv_paths_add_main(&paths, folder, "old.c");
	wv_paths_add(&paths, folder, "missing.h");
	wv_paths_add(&paths, "/elsewhere", files_path("same.h"));
	write_at("old.c", 999);
	write_at("same.h", 1000);
	assert_int_equal(wv_newer_sources(&paths, image, example, sizeof(example)), 0);
	write_at("old.c", 1001);
	assert_int_equal(wv_newer_sources(&paths, image, example, sizeof(example)), 1);
	assert_string_equal(example, "old.c");
	write_at("same.h", 1001);
	assert_int_equal(wv_newer_sources(&paths, image, example, sizeof(example)), 2);
	assert_int_equal(wv_newer_sources(&paths, files_path("none"), example, sizeof(example)), 0);
	wv_paths_deinit(&paths);
	free(folder);
}

static void test_newer_than_database(void **state)
{
	char *folder = strdup(files_path(""));
	struct wv_source source = { .tree = folder, .indexed = 1000 };

	write_at("a.c", 1000);
	write_at("b.c", 1001);
	assert_string_equal(wv_source_line(&source, "a.c", 1), "int a;");
	assert_null(source.newer.data);
	assert_string_equal(wv_source_line(&source, "b.c", 1), "int a;");
	assert_non_null(strstr(source.newer.data, "/b.c"));
	wv_source_deinit(&source);
	/* If it is unknown when the database was made, no source may count as newer. */
	source = (struct wv_source){ .tree = folder };
	assert_non_null(wv_source_line(&source, "b.c", 1));
	assert_null(source.newer.data);
	wv_source_deinit(&source);
	free(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_newer_than_image),
		cmocka_unit_test(test_newer_than_database),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
