// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests base/own-folder.c: a folder is the user's own if no other user can write to it or replace
 * it.
 */
#include "cmocka-all.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/own-folder.h"
#include "files.h"

/* Paths of a folder of the test, and of the folder in it that is checked. */
static char above[PATH_MAX], inside[PATH_MAX + 8];

static int make(void **state)
{
	snprintf(above, sizeof(above), "%s", files_path("above"));
	snprintf(inside, sizeof(inside), "%s/inside", above);
	return mkdir(above, 0700) || mkdir(inside, 0700);
}

static int unmake(void **state)
{
	return rmdir(inside) || rmdir(above);
}

static bool is_own(const char *path, struct wv_error *error)
{
	return !wv_own_folder_check(path, "things", "SETTING", error);
}

static void test_modes(void **state)
{
	static const struct {
		mode_t above, inside;
		bool own;
	} cases[] = {
		{ 0700, 0700, true },	{ 0755, 0755, true },	{ 0700, 0720, false },
		{ 0700, 0702, false },	{ 0700, 01777, false }, { 0720, 0700, false },
		{ 0702, 0700, false },	{ 01777, 0700, true },
	};
	struct wv_error error;
	char text[3 * PATH_MAX];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(chmod(above, cases[i].above), 0);
		assert_int_equal(chmod(inside, cases[i].inside), 0);
		if (is_own(inside, &error) != cases[i].own)
			fail_msg("%o in %o", cases[i].inside, cases[i].above);
	}
	chmod(above, 0702);
	assert_false(is_own(inside, &error));
	wv_error_text(&error, text, sizeof(text));
	assert_non_null(strstr(text, "SETTING"));
	assert_non_null(strstr(text, above));
	chmod(above, 0700);
}

/*
 * If the path is a link, the folders above the link must be checked as well as those above its
 * target.
 */
static void test_links(void **state)
{
	char link[PATH_MAX], open[PATH_MAX], open_link[PATH_MAX + 8];
	struct wv_error error;

	snprintf(link, sizeof(link), "%s", files_path("link"));
	snprintf(open, sizeof(open), "%s", files_path("open"));
	snprintf(open_link, sizeof(open_link), "%s/link", open);
	assert_int_equal(mkdir(open, 0700), 0);
	assert_int_equal(symlink(inside, link), 0);
	assert_int_equal(symlink(inside, open_link), 0);
	assert_true(is_own(link, &error));
	assert_true(is_own(open_link, &error));
	chmod(open, 0702);
	assert_false(is_own(open_link, &error));
	chmod(open, 01777);
	assert_true(is_own(open_link, &error));
	chmod(above, 0702);
	assert_false(is_own(link, &error));
	chmod(above, 0700);
	unlink(open_link);
	unlink(link);
	rmdir(open);
}

/*
 * A folder is not the user's own if it, a folder above it, or a link to it belongs to another user.
 * Only root can run this test, since others cannot give files away.
 */
static void test_owners(void **state)
{
	char link[PATH_MAX];
	struct wv_error error;

	if (geteuid())
		return;
	snprintf(link, sizeof(link), "%s", files_path("link"));
	assert_int_equal(symlink(inside, link), 0);
	assert_int_equal(lchown(link, 4321, 4321), 0);
	assert_false(is_own(link, &error));
	unlink(link);
	assert_int_equal(chown(above, 4321, 4321), 0);
	assert_false(is_own(inside, &error));
	assert_int_equal(chown(above, 0, 0), 0);
	assert_int_equal(chown(inside, 4321, 4321), 0);
	assert_false(is_own(inside, &error));
	assert_int_equal(chown(inside, 0, 0), 0);
	assert_true(is_own(inside, &error));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_owners),
	};

	return cmocka_run_group_tests(tests, make, unmake);
}
