// SPDX-License-Identifier: GPL-2.0-or-later
/* image/paths.c: the plugin's and DWARF's names of one file meet. */
#include "cmocka-all.h"
#include "image/paths.h"

static const char *add(struct wv_paths *paths, const char *directory, const char *folder,
		       const char *name)
{
	return wv_paths_name(paths, wv_paths_add(paths, directory, folder, name));
}

static void test_inside(void **state)
{
	struct wv_paths paths = { 0 };

	assert_string_equal(add(&paths, "/k", NULL, "fs/namei.c"), "fs/namei.c");
	assert_string_equal(add(&paths, "/k", NULL, "./fs/namei.c"), "fs/namei.c");
	assert_string_equal(add(&paths, "/k", "fs", "namei.c"), "fs/namei.c");
	assert_string_equal(add(&paths, "/k", "./fs", "namei.c"), "fs/namei.c");
	assert_string_equal(add(&paths, "/k", "/k/fs", "namei.c"), "fs/namei.c");
	assert_string_equal(add(&paths, "/k/", NULL, "/k/fs/namei.c"), "fs/namei.c");
	assert_string_equal(add(&paths, "/k", NULL, "fs//ext4/../namei.c"), "fs/namei.c");
	assert_string_equal(add(&paths, "/k", "include", "../fs/namei.c"), "fs/namei.c");
	assert_int_equal(paths.names.strings.n, 1);
	/* A sibling whose name begins alike is not inside. */
	assert_string_equal(add(&paths, "/k", NULL, "/kernel/a.c"), "/kernel/a.c");
	/* The name of an assembler's temporary, an empty name, a relative or no directory. */
	assert_string_equal(add(&paths, "/k", NULL, "<stdin>"), "<stdin>");
	assert_string_equal(add(&paths, "", NULL, "a.c"), "a.c");
	assert_string_equal(add(&paths, ".", NULL, "../a.c"), "../a.c");
	assert_string_equal(add(&paths, "/k", NULL, ""), "/k");
	assert_string_equal(add(&paths, "/k", NULL, "/../../a.c"), "/a.c");
	wv_paths_deinit(&paths);
}

/* make O=/build in /src: sources by absolute name, generated files inside. */
static void test_source_tree(void **state)
{
	struct wv_paths paths = { 0 };

	wv_paths_add_main(&paths, "/build", "/src/linux/fs/namei.c");
	wv_paths_add_main(&paths, "/build", "drivers/tty/vt/generated.c");
	wv_paths_add_main(&paths, "/build", "/src/linux/fs/open.c");
	wv_paths_add_main(&paths, "/build", "/src/linux/init/main.c");
	assert_string_equal(add(&paths, "/build", NULL, "/src/linux/fs/namei.c"), "fs/namei.c");
	assert_string_equal(add(&paths, "/build", "/src/linux/include/linux", "fs.h"),
			    "include/linux/fs.h");
	assert_string_equal(add(&paths, "/build", "include/generated", "autoconf.h"),
			    "include/generated/autoconf.h");
	assert_string_equal(add(&paths, "/build", NULL, "/usr/include/stdio.h"),
			    "/usr/include/stdio.h");
	assert_string_equal(add(&paths, "/build", NULL, "../src/linux/mm/slab.c"), "mm/slab.c");
	wv_paths_deinit(&paths);
}

/* Main files that share nothing but the root folder have no source tree. */
static void test_no_tree(void **state)
{
	struct wv_paths paths = { 0 };

	wv_paths_add_main(&paths, "/build", "/a/x.c");
	wv_paths_add_main(&paths, "/build", "/b/y.c");
	assert_string_equal(add(&paths, "/build", NULL, "/a/x.c"), "/a/x.c");
	wv_paths_deinit(&paths);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inside),
		cmocka_unit_test(test_source_tree),
		cmocka_unit_test(test_no_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
