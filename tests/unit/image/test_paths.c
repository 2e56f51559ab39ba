// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests image/paths.c: the plugin's and DWARF's names of a file must become the same name. */
#include "cmocka-all.h"
#include "image/paths.h"

static const char *add(struct wv_paths *paths, const char *directory, const char *name)
{
	return wv_paths_name(paths, wv_paths_add(paths, directory, name));
}

static const char *add_joined(struct wv_paths *paths, const char *directory, const char *path)
{
	return wv_paths_name(paths, wv_paths_add_joined(paths, directory, path));
}

static void test_inside(void **state)
{
	struct wv_paths paths = { 0 };

	assert_string_equal(add(&paths, "/k", "fs/namei.c"), "fs/namei.c");
	assert_string_equal(add(&paths, "/k", "./fs/namei.c"), "fs/namei.c");
	assert_string_equal(add_joined(&paths, "/k", "/k/fs/namei.c"), "fs/namei.c");
	assert_string_equal(add_joined(&paths, "/k", "/k/./fs/namei.c"), "fs/namei.c");
	assert_string_equal(add_joined(&paths, ".", "./fs/namei.c"), "fs/namei.c");
	assert_string_equal(add_joined(&paths, "k", "k/fs/namei.c"), "fs/namei.c");
	assert_string_equal(add(&paths, "/k/", "/k/fs/namei.c"), "fs/namei.c");
	assert_string_equal(add(&paths, "/k", "fs//ext4/../namei.c"), "fs/namei.c");
	assert_string_equal(add_joined(&paths, "/k", "/k/include/../fs/namei.c"), "fs/namei.c");
	assert_int_equal(paths.names.strings.n, 1);
	assert_string_equal(add_joined(&paths, "k", "/k/fs/namei.c"), "/k/fs/namei.c");
	/* A sibling folder whose name begins with the same letters must not count as inside. */
	assert_string_equal(add(&paths, "/k", "/kernel/a.c"), "/kernel/a.c");
	/*
	 * Other names: an assembler's temporary, one in no folder, one in a relative folder, an
	 * empty name, and one that goes up from the root.
	 */
	assert_string_equal(add(&paths, "/k", "<stdin>"), "<stdin>");
	assert_string_equal(add(&paths, "", "a.c"), "a.c");
	assert_string_equal(add(&paths, ".", "../a.c"), "../a.c");
	assert_string_equal(add(&paths, "/k", ""), "/k");
	assert_string_equal(add(&paths, "/k", "/../../a.c"), "/a.c");
	wv_paths_deinit(&paths);
}

/*
 * In a build by `make O=/build` in /src/linux, sources have absolute names, and generated files are
 * inside the build folder.
 */
static void test_source_tree(void **state)
{
	struct wv_paths paths = { 0 };

	wv_paths_add_main(&paths, "/build", "/src/linux/fs/namei.c");
	wv_paths_add_main(&paths, "/build", "drivers/tty/vt/generated.c");
	wv_paths_add_main(&paths, "/build", "/src/linux/fs/open.c");
	wv_paths_add_main(&paths, "/build", "/src/linux/init/main.c");
	assert_string_equal(add(&paths, "/build", "/src/linux/fs/namei.c"), "fs/namei.c");
	assert_string_equal(add_joined(&paths, "/build", "/src/linux/include/linux/fs.h"),
			    "include/linux/fs.h");
	assert_string_equal(add_joined(&paths, "/build", "/build/include/generated/autoconf.h"),
			    "include/generated/autoconf.h");
	assert_string_equal(add(&paths, "/build", "/usr/include/stdio.h"),
			    "/usr/include/stdio.h");
	assert_string_equal(add(&paths, "/build", "../src/linux/mm/slab.c"), "mm/slab.c");
	wv_paths_deinit(&paths);
}

/* If the main files have only the root folder in common, there is no source tree. */
static void test_no_tree(void **state)
{
	struct wv_paths paths = { 0 };

	wv_paths_add_main(&paths, "/build", "/a/x.c");
	wv_paths_add_main(&paths, "/build", "/b/y.c");
	assert_string_equal(add(&paths, "/build", "/a/x.c"), "/a/x.c");
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
