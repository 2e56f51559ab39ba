// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests database/unprepared.c, which says what an answer may lack if not all units of an image are
 * known. In the test's database 2 of 4 units of vmlinux are known, 1 of 3 units of the module
 * "van", and the only unit of the module "full".
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmocka-all.h"
#include "database/db.h"
#include "database/pointcut-parse.h"
#include "database/schema.h"
#include "database/unprepared.h"
#include "files.h"
#include "runtime/joinpoint-table.h"

static struct wv_db *db;

/*
 * Makes a database. @van says whether it is known which words the missing units of the module van
 * mention: 1 or 0.
 */
static void make_database(const char *path, int van)
{
	char sql[2048];
	sqlite3 *sqlite;

	snprintf(sql, sizeof(sql),
		 "PRAGMA application_id = %d; PRAGMA user_version = %d;"
		 "INSERT INTO meta VALUES ('text_address', -2130706432), ('build_id', x'01');"
		 "INSERT INTO image VALUES (0, 'vmlinux', x'01', 2, 9, 9, 1),"
		 " (1, 'van', x'02', 1, 9, 9, %d), (2, 'full', x'03', 1, 9, 9, 0);"
		 "INSERT INTO unit VALUES (1, 'a.c', 1), (2, 'b.c', 1), (3, 'c.c', 0),"
		 " (4, 'd/c.c', 0), (16777217, 'van/e.c', 1), (16777218, 'van/f.c', 0),"
		 " (16777219, 'van/g.c', 0), (33554433, 'full.c', 1);"
		 "INSERT INTO mention VALUES (0, 'weight', 2), (0, 'state', 1), (1, 'weight', 1),"
		 " (1, 'load', 2);",
		 WV_SCHEMA_APPLICATION_ID, WV_SCHEMA_VERSION, van);
	unlink(path);
	assert_int_equal(sqlite3_open(path, &sqlite), SQLITE_OK);
	assert_int_equal(sqlite3_exec(sqlite, WV_SCHEMA_TABLES, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_exec(sqlite, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_exec(sqlite, WV_SCHEMA_INDEXES, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(sqlite);
}

static int open_database(const char *name, int van)
{
	struct wv_error error = { 0 };
	const char *path = files_path(name);

	make_database(path, van);
	if (!wv_db_open(path, &db, &error))
		return 0;
	fprintf(stderr, "%s\n", error.message);
	return -1;
}

static int setup(void **state)
{
	return open_database("van.weft", 1);
}

static int setup_uncounted(void **state)
{
	return open_database("uncounted.weft", 0);
}

static int close_db(void **state)
{
	wv_db_close(db);
	return 0;
}

static void expect(const char *asked, const char *within, const char *wanted)
{
	_cleanup_unprepared_ struct wv_unprepared unprepared = { 0 };
	_cleanup_str_ struct wv_str text = { 0 };
	struct wv_pointcut pointcut;
	struct wv_error error = { 0 };

	assert_int_equal(wv_pointcut_parse(asked, WV_KINDS_ALL, &pointcut, &error), 0);
	assert_int_equal(wv_db_unprepared(db, &pointcut, within, &unprepared, &error), 0);
	wv_unprepared_text(&unprepared, &pointcut, &text);
	assert_string_equal(wv_str_text(&text), wanted);
	wv_pointcut_deinit(&pointcut);
}

static void complete(void **state)
{
	expect("parcel.colour", NULL, "");	   /* No missing unit mentions this member. */
	expect("full:parcel.weight", NULL, ""); /* All units of this module are known. */
	expect("van:parcel.state", NULL, "");	   /* Only units of vmlinux mention this member. */
	expect("carry", NULL, "");		   /* Functions of all units are known. */
	expect("parcel.weight", "a.c", "");
}

static void counted(void **state)
{
	expect("parcel.weight", NULL,
	       "accesses are known in 4 of 8 units; 3 of the others mention weight: `weft prepare "
	       "--for parcel.weight` adds them");
	expect("vmlinux:parcel.state", NULL,
	       "accesses are known in 2 of 4 units; 1 of the others mentions state: `weft prepare "
	       "--for vmlinux:parcel.state` adds it");
	expect("van:parcel.load", NULL,
	       "accesses are known in 1 of 3 units; 2 of the others mention load: `weft prepare "
	       "--for van:parcel.load` adds them");
	expect("v*:parcel.weight", NULL,
	       "accesses are known in 3 of 7 units; 3 of the others mention weight: `weft prepare "
	       "--for v*:parcel.weight` adds them");
}

static void files(void **state)
{
	expect("parcel.weight", "d/c.c",
	       "accesses are known in 4 of 8 units; d/c.c is not among them: `weft prepare d/c.c` "
	       "adds it");
	expect("parcel.weight", "c.c",
	       "accesses are known in 4 of 8 units; c.c and 1 more of these files are not among "
	       "them: `weft prepare` adds them");
	/* No unit has this name: units of other names include the file. */
	expect("parcel.state", "included.c",
	       "accesses are known in 4 of 8 units; 1 of the others mentions state: `weft prepare "
	       "--for parcel.state` adds it");
}

/*
 * If the database has the number of missing units but not the words that they mention, the warning
 * must say how many units are known, whatever the member.
 */
static void uncounted(void **state)
{
	expect("parcel.*", NULL,
	       "accesses are known in 4 of 8 units only: others may have more; see `weft prepare`");
	expect("van:parcel.load", NULL,
	       "accesses are known in 1 of 3 units only: others may have more; see `weft prepare`");
	expect("vmlinux:parcel.colour", NULL, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(complete, setup, close_db),
		cmocka_unit_test_setup_teardown(counted, setup, close_db),
		cmocka_unit_test_setup_teardown(files, setup, close_db),
		cmocka_unit_test_setup_teardown(uncounted, setup_uncounted, close_db),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
