// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests module/prepared.c: what is prepared for a kernel is found, but not where others than root
 * and the user who runs weft could have put it.
 */
#include "cmocka-all.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "module/prepared.h"

#define RELEASE "1.2.3-test"

/* Paths of the folder of all kernels, of the folder in it of one kernel, and of its database. */
static char all[PATH_MAX], one[PATH_MAX + 16], database[PATH_MAX + 32];

static int make(void **state)
{
	snprintf(all, sizeof(all), "%s", files_path("prepared"));
	snprintf(one, sizeof(one), "%s/" RELEASE, all);
	snprintf(database, sizeof(database), "%s/vmlinux.weft", one);
	setenv("WEFT_PREPARED", all, 1);
	return mkdir(all, 0700) || mkdir(one, 0700) || symlink("/dev/null", database);
}

static int unmake(void **state)
{
	return unlink(database) || rmdir(one) || rmdir(all);
}

/*
 * Returns whether the database is found. There must be a message if it is not found, and none if it
 * is.
 */
static bool is_found(void)
{
	char path[PATH_MAX];
	struct wv_error error;
	const bool found = wv_prepared_find(RELEASE, "vmlinux.weft", path);

	assert_int_equal(!wv_prepared_refusal(RELEASE, &error), found);
	if (found)
		assert_string_equal(path, database);
	else
		assert_contains(error.message, "WEFT_PREPARED");
	return found;
}

static void test_modes(void **state)
{
	static const struct {
		mode_t all, one;
		bool found;
	} cases[] = {
		{ 0700, 0700, true },  { 0755, 0755, true },   { 01777, 0755, true },
		{ 0700, 0720, false }, { 0700, 01777, false }, { 0770, 0700, false },
		{ 0702, 0700, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(chmod(all, cases[i].all), 0);
		assert_int_equal(chmod(one, cases[i].one), 0);
		if (is_found() != cases[i].found)
			fail_msg("%o in %o", cases[i].one, cases[i].all);
	}
	chmod(all, 0700);
	chmod(one, 0700);
}

/* Only root can run this test, since others cannot give files away. */
static void test_owners(void **state)
{
	if (geteuid())
		return;
	assert_int_equal(chown(one, 4321, 4321), 0);
	assert_false(is_found());
	assert_int_equal(chown(one, 0, 0), 0);
	assert_int_equal(chown(all, 4321, 4321), 0);
	assert_false(is_found());
	assert_int_equal(chown(all, 0, 0), 0);
	assert_true(is_found());
}

/* A kernel for which nothing is prepared is not found, but not refused either. */
static void test_none(void **state)
{
	char path[PATH_MAX];
	struct wv_error error;

	assert_false(wv_prepared_find("3.2.1-test", "vmlinux.weft", path));
	assert_int_equal(wv_prepared_refusal("3.2.1-test", &error), 0);
	assert_false(wv_prepared_find(RELEASE, "none", path));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_owners),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, make, unmake);
}
