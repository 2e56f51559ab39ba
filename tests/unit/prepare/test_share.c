// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests prepare/share.c: a database becomes one file for other machines, and a damaged file is
 * refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka-all.h"

#include "files.h"
#include "index/build.h"
#include "prepare/share.h"

static int build(void **state)
{
	struct wv_index_totals totals;
	struct wv_error error = { 0 };

	if (!wv_index_build(SAMPLE, files_path("sample.weft"), &totals, &error))
		return 0;
	fprintf(stderr, "%s\n", error.message);
	return -1;
}

/* Exports the sample's database, and reads the heading of the exported file. */
static const char *exported(struct wv_shared *shared)
{
	const char *path = files_path("exported");
	struct wv_error error;

	assert_int_equal(wv_share_export(files_path("sample.weft"), "6.1.0-1-amd64", path, &error),
			 0);
	assert_int_equal(wv_share_read(path, shared, &error), 0);
	return path;
}

static void there_and_back(void **state)
{
	static const uint8_t build_id[] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef };
	struct wv_shared shared;
	struct wv_error error;
	const char *path = exported(&shared), *database = files_path("imported");
	unsigned char *before, *after;
	size_t n, m;

	assert_string_equal(shared.release, "6.1.0-1-amd64");
	assert_int_equal(shared.build_id.size, sizeof(build_id));
	assert_memory_equal(shared.build_id.bytes, build_id, sizeof(build_id));
	assert_int_equal(wv_share_import(path, &shared, database, &error), 0);
	before = files_read(files_path("sample.weft"), &n);
	after = files_read(database, &m);
	assert_int_equal(n, m);
	assert_memory_equal(before, after, n);
	free(before);
	free(after);
	unlink(database);
}

/* A file that cannot be imported must leave no database, whole or half. */
static void refuse(const char *path, const struct wv_shared *shared, int code)
{
	const size_t files = files_count();
	struct wv_error error;

	assert_int_equal(wv_share_import(path, shared, files_path("imported"), &error), code);
	assert_int_equal(files_count(), files);
}

static void damaged_files(void **state)
{
	struct wv_shared shared, other;
	struct wv_error error;
	const char *path = exported(&shared), *cut, *bent;
	unsigned char *bytes;
	size_t n;

	bytes = files_read(path, &n);
	cut = files_write("cut", bytes, n / 2);
	refuse(cut, &shared, -WV_E_FORMAT);
	cut = files_write("cut", bytes, n - 1);
	refuse(cut, &shared, -WV_E_FORMAT);
	bytes[n / 2] ^= 0x10;
	bent = files_write("bent", bytes, n);
	refuse(bent, &shared, -WV_E_FORMAT);
	free(bytes);
	other = shared;
	other.build_id.bytes[0] ^= 1;
	refuse(path, &other, -WV_E_MISMATCH);
	assert_int_equal(wv_share_read(files_path("sample.weft"), &other, &error), -WV_E_FORMAT);
	assert_int_equal(wv_share_read(files_path("nowhere"), &other, &error), -WV_E_FAILURE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(damaged_files),
	};

	return cmocka_run_group_tests(tests, build, NULL);
}
