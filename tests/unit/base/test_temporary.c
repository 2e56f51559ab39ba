// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests base/temporary.c: the folder for temporary files is refused if others can replace what is
 * in it. All parts of weft that make a temporary file, or run a program that may, must refuse it.
 */
#include "cmocka-all.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"
#include "base/temporary.h"
#include "files.h"
#include "module/build-folder.h"
#include "prepare/programs.h"

/* Paths of a folder of the test, and of the folder in it that is $TMPDIR. */
static char above[PATH_MAX], inside[PATH_MAX + 8];

static int make(void **state)
{
	snprintf(above, sizeof(above), "%s", files_path("above"));
	snprintf(inside, sizeof(inside), "%s/inside", above);
	setenv("TMPDIR", inside, 1);
	return mkdir(above, 0700) || mkdir(inside, 0700);
}

static int unmake(void **state)
{
	return rmdir(inside) || rmdir(above);
}

static bool is_refused(void)
{
	char folder[PATH_MAX], text[3 * PATH_MAX];
	struct wv_error error;

	if (!wv_temporary_folder(folder, &error)) {
		assert_string_equal(folder, inside);
		return false;
	}
	wv_error_text(&error, text, sizeof(text));
	assert_contains(text, above);
	assert_contains(text, "set TMPDIR");
	assert_null(strchr(text, '\n'));
	return true;
}

static void test_modes(void **state)
{
	static const struct {
		mode_t above, inside;
		bool refused;
	} cases[] = {
		{ 0700, 0700, false }, { 0755, 01777, false }, { 01777, 0700, false },
		{ 0700, 0702, true },  { 0700, 0720, true },   { 0702, 0700, true },
		{ 0720, 01777, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(chmod(above, cases[i].above), 0);
		assert_int_equal(chmod(inside, cases[i].inside), 0);
		if (is_refused() != cases[i].refused)
			fail_msg("%o in %o", cases[i].inside, cases[i].above);
	}
	chmod(inside, 0700);
	chmod(above, 0700);
}

/* Only root can run this test, since others cannot give files away. */
static void test_owners(void **state)
{
	if (geteuid())
		return;
	for (int sticky = 0; sticky <= 1; sticky++) {
		assert_int_equal(chown(above, 4321, 4321), 0);
		assert_int_equal(chmod(above, sticky ? 01777 : 0755), 0);
		assert_true(is_refused());
	}
	assert_int_equal(chown(above, 0, 0), 0);
	assert_int_equal(chmod(above, 0700), 0);
	assert_false(is_refused());
}

/* What is made is at the path without links, so nobody can lead it elsewhere later. */
static void test_links(void **state)
{
	char link[PATH_MAX], name[PATH_MAX];
	struct wv_error error;

	snprintf(link, sizeof(link), "%s", files_path("link"));
	assert_int_equal(symlink(inside, link), 0);
	setenv("TMPDIR", link, 1);
	assert_int_equal(wv_temporary_name(name, &error), 0);
	assert_int_equal(strncmp(name, inside, strlen(inside)), 0);
	assert_string_equal(name + strlen(inside), "/weft-XXXXXX");
	unlink(link);
	assert_int_not_equal(wv_temporary_name(name, &error), 0);
	setenv("TMPDIR", "", 1);
	assert_int_equal(wv_temporary_name(name, &error), 0);
	assert_string_equal(name, "/tmp/weft-XXXXXX");
	setenv("TMPDIR", inside, 1);
}

/* Tries all that makes temporary files, and returns how many of them succeed. */
static int count_successes(void)
{
	char *argv[] = { "sh", "-c", "echo \"$TMPDIR\"", NULL };
	const struct wv_child child = { .argv = argv, .log = files_path("log") };
	const struct wv_child whole = { .argv = argv, .log = child.log, .environment = true };
	struct wv_str out = { 0 };
	char folder[PATH_MAX];
	struct wv_error error;
	int status, n = 0;
	bool ok;

	if (!wv_build_folder_make(folder, &error)) {
		wv_build_folder_remove(folder);
		n++;
	}
	if (!wv_program_text(argv, true, &out, &ok, &error)) {
		assert_int_equal(strncmp(out.data, inside, strlen(inside)), 0);
		assert_string_equal(out.data + strlen(inside), "\n");
		n++;
	}
	n += !wv_child_run(&child, &status, &error);
	n += !wv_child_run(&whole, &status, &error);
	wv_str_deinit(&out);
	unlink(child.log);
	return n;
}

static void test_users(void **state)
{
	assert_int_equal(count_successes(), 4);
	chmod(above, 0702);
	assert_int_equal(count_successes(), 0);
	chmod(above, 0700);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_owners),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_users),
	};

	return cmocka_run_group_tests(tests, make, unmake);
}
