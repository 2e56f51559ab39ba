// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests which text is blacklisted by names: functions of the same name, clones and parts of a
 * function, functions of sanitizers, thunks and what they call, functions that the compiler made of
 * one that forbids probes, and ranges with only one end.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmocka-all.h"
#include "files.h"
#include "image/patch-sites.h"
#include "index/build.h"
#include "database/db-handle.h"
#include "plan/kernel-blacklist.h"

enum { SAMPLES = 1 }; /* Of the sample itself one function is blacklisted, __fentry__. */

/* Returns the sample's database, changed by @sql. */
static struct wv_db *open_with(const char *sql)
{
	struct wv_index_totals totals;
	struct wv_error error = { 0 };
	struct wv_db *db;
	sqlite3 *sqlite;

	if (wv_index_build(SAMPLE, files_path("sample.weft"), &totals, &error))
		fail_msg("%s: %s", error.file, error.message);
	assert_int_equal(sqlite3_open(files_path("sample.weft"), &sqlite), SQLITE_OK);
	if (sqlite3_exec(sqlite, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(sqlite));
	sqlite3_close(sqlite);
	if (wv_db_open(files_path("sample.weft"), &db, &error))
		fail_msg("%s: %s", error.file, error.message);
	return db;
}

/* Returns whether the list has a range that begins where @symbol does, with this refusal. */
static bool has(struct wv_db *db, const struct wv_blacklist_list *list, const char *symbol,
		uint8_t refusal)
{
	uint64_t start = wv_db_symbol_address(db, symbol);

	assert_int_not_equal(start, 0);
	wv_vec_for_each(at, &list->list)
		if (at->start == start && at->end > start && at->refusal == refusal)
			return true;
	return false;
}

static void test_clones(void **state)
{
	struct wv_db *db = open_with(
		"UPDATE symbol SET name = 'native_write_msr.constprop.7' WHERE name = 'touch';"
		"UPDATE symbol SET name = 'native_write_msrs' WHERE name = 'other';");
	struct wv_blacklist_list list = { 0 };
	struct wv_error error = { 0 };

	assert_int_equal(wv_blacklist_read(&list, db, &error), 0);
	assert_int_equal(list.list.n, SAMPLES + 1);
	assert_true(has(db, &list, "native_write_msr.constprop.7", WEFT_REFUSAL_BLACKLISTED));
	wv_vec_deinit(&list.list);
	wv_db_close(db);
}

static void test_namesakes(void **state)
{
	struct wv_db *db = open_with(
		"UPDATE symbol SET name = 'native_write_msr' WHERE name IN ('touch', 'destroy');");
	struct wv_blacklist_list list = { 0 };
	struct wv_error error = { 0 };

	assert_int_equal(wv_blacklist_read(&list, db, &error), 0);
	assert_int_equal(list.list.n, SAMPLES + 2);
	assert_int_not_equal(list.list.data[0].start, list.list.data[1].start);
	assert_int_not_equal(list.list.data[1].start, list.list.data[2].start);
	wv_vec_deinit(&list.list);
	wv_db_close(db);
}

/* Functions of a sanitizer are blacklisted by the beginnings of their names. */
static void test_sanitizers(void **state)
{
	struct wv_db *db = open_with(
		"UPDATE symbol SET name = '__asan_load8_noabort' WHERE name = 'touch';"
		"UPDATE symbol SET name = 'my__asan_load8' WHERE name = 'other';");
	struct wv_blacklist_list list = { 0 };
	struct wv_error error = { 0 };

	assert_int_equal(wv_blacklist_read(&list, db, &error), 0);
	assert_int_equal(list.list.n, SAMPLES + 1);
	assert_true(has(db, &list, "__asan_load8_noabort", WEFT_REFUSAL_BLACKLISTED));
	wv_vec_deinit(&list.list);
	wv_db_close(db);
}

/* memcpy() must be blacklisted if it is KASAN's, and not otherwise. */
static void test_kasan(void **state)
{
	struct wv_db *db = open_with("UPDATE symbol SET name = 'memcpy' WHERE name = 'touch';");
	struct wv_blacklist_list list = { 0 };
	struct wv_error error = { 0 };

	assert_int_equal(wv_blacklist_read(&list, db, &error), 0);
	assert_int_equal(list.list.n, SAMPLES);
	wv_vec_deinit(&list.list);
	wv_db_close(db);
	db = open_with("UPDATE symbol SET name = 'memcpy' WHERE name = 'touch';"
		       "UPDATE symbol SET name = 'kasan_check_range' WHERE name = 'other';");
	assert_int_equal(wv_blacklist_read(&list, db, &error), 0);
	assert_int_equal(list.list.n, SAMPLES + 2);
	assert_true(has(db, &list, "memcpy", WEFT_REFUSAL_BLACKLISTED));
	wv_vec_deinit(&list.list);
	wv_db_close(db);
}

/* The kernel's list has "touch", so its clone must be blacklisted as well. */
static void test_no_probe(void **state)
{
	char sql[512];
	struct wv_blacklist_list list = { 0 };
	struct wv_error error = { 0 };
	struct wv_db *db;

	snprintf(sql, sizeof(sql),
		 "INSERT INTO owner(kind, offset, size, target) SELECT %d, offset, 0, 0 FROM "
		 "symbol WHERE name = 'touch';"
		 "UPDATE symbol SET name = 'touch.part.0' WHERE name = 'other';",
		 WV_OWNER_NO_PROBE);
	db = open_with(sql);
	assert_int_equal(wv_blacklist_read(&list, db, &error), 0);
	assert_int_equal(list.list.n, SAMPLES + 2);
	assert_true(has(db, &list, "touch", WEFT_REFUSAL_BLACKLISTED));
	assert_true(has(db, &list, "touch.part.0", WEFT_REFUSAL_BLACKLISTED));
	wv_vec_deinit(&list.list);
	wv_db_close(db);
}

/*
 * What a thunk calls must be blacklisted with the thunk, and so must symbols that begin with the
 * prefix of thunks.
 */
static void test_thunks(void **state)
{
	struct wv_db *db = open_with(
		"UPDATE symbol SET name = 'its_return_thunk' WHERE name = 'destroy';"
		"UPDATE symbol SET name = '__x86_indirect_thunk_rax' WHERE name = 'touch';");
	struct wv_blacklist_list list = { 0 };
	struct wv_error error = { 0 };

	assert_int_equal(wv_blacklist_read(&list, db, &error), 0);
	assert_true(has(db, &list, "its_return_thunk", WEFT_REFUSAL_BLACKLISTED));
	assert_true(has(db, &list, "__x86_indirect_thunk_rax", WEFT_REFUSAL_BLACKLISTED));
	assert_true(has(db, &list, "__fentry__", WEFT_REFUSAL_BLACKLISTED));
	assert_false(has(db, &list, "other", WEFT_REFUSAL_BLACKLISTED));
	wv_vec_deinit(&list.list);
	wv_db_close(db);
}

static void refuse(const char *sql)
{
	struct wv_db *db = open_with(sql);
	struct wv_blacklist_list list = { 0 };
	struct wv_error error = { 0 };

	assert_int_equal(wv_blacklist_read(&list, db, &error), -WV_E_FORMAT);
	assert_contains(error.message,
			"from ftrace_caller to ftrace_caller_end, which must not be spliced");
	assert_int_equal(list.list.n, 0);
	wv_db_close(db);
}

static void test_half_a_range(void **state)
{
	struct wv_blacklist_list list = { 0 };
	struct wv_error error = { 0 };
	struct wv_db *db;

	refuse("UPDATE symbol SET name = 'ftrace_caller' WHERE name = 'touch'");
	refuse("UPDATE symbol SET name = 'ftrace_caller_end' WHERE name = 'touch'");
	refuse("UPDATE symbol SET name = 'ftrace_caller_end' WHERE name = 'destroy';"
	       "UPDATE symbol SET name = 'ftrace_caller' WHERE name = 'touch'");
	db = open_with("UPDATE symbol SET name = 'ftrace_caller' WHERE name = 'destroy';"
		       "UPDATE symbol SET name = 'ftrace_caller_end' WHERE name = 'touch'");
	assert_int_equal(wv_blacklist_read(&list, db, &error), 0);
	assert_int_equal(list.list.n, SAMPLES + 1);
	assert_true(has(db, &list, "ftrace_caller", WEFT_REFUSAL_FTRACE));
	wv_vec_for_each(at, &list.list)
		if (at->start == wv_db_symbol_address(db, "ftrace_caller"))
			assert_true(at->end > wv_db_symbol_address(db, "ftrace_caller_end"));
	wv_vec_deinit(&list.list);
	wv_db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clones),
		cmocka_unit_test(test_namesakes),
		cmocka_unit_test(test_sanitizers),
		cmocka_unit_test(test_kasan),
		cmocka_unit_test(test_no_probe),
		cmocka_unit_test(test_half_a_range),
		cmocka_unit_test(test_thunks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
