// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests modules in the database: the sample is indexed once as a vmlinux and once, not linked yet,
 * as a module. Also tests that images which have not changed are taken from the old database.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cmocka-all.h"
#include "files.h"
#include "runtime/joinpoint-table.h"
#include "index/build.h"
#include "database/db.h"
#include "database/pointcut-parse.h"
#include "database/query.h"
#include "database/wildcard.h"

static void build(const char *name, bool fresh, struct wv_index_image *images, size_t n)
{
	struct wv_index_totals totals;
	struct wv_error error = { 0 };

	if (wv_index_images(images, n, files_path(name), fresh, &totals, &error))
		fail_msg("%s: %s", error.file, error.message);
}

/*
 * Queries @text, and compares "module:symbol+offset precision" of every match with lines up to
 * NULL.
 */
static void expect(const char *text, const char *const *lines)
{
	struct wv_pointcut pointcut;
	struct wv_matches matches;
	struct wv_error error = { 0 };
	struct wv_db *db;
	char line[256];
	size_t n = 0;

	assert_int_equal(wv_db_open(files_path("both.weft"), &db, &error), 0);
	assert_int_equal(wv_pointcut_parse(text, WV_KINDS_ALL, &pointcut, &error), 0);
	if (wv_db_query_like(db, &pointcut, &matches, &error))
		fail_msg("%s: %s", text, error.message);
	wv_vec_for_each(match, &matches.list) {
		snprintf(line, sizeof(line), "%s:%s+%u %s", match->module ? match->module : "",
			 match->symbol ? match->symbol : "-", match->symbol_offset,
			 wv_precision_name(match->precision));
		assert_non_null(lines[n]);
		assert_string_equal(line, lines[n++]);
	}
	assert_null(lines[n]);
	wv_matches_deinit(&matches);
	wv_pointcut_deinit(&pointcut);
	wv_db_close(db);
}

#define EXPECT(text, ...) expect(text, (const char *const[]){ __VA_ARGS__ NULL })

/*
 * The module must have the same shadows as the linked sample. A module is not linked yet, so the
 * addresses of labels, lines, operands and inlined instances have to come from its relocations.
 */
static void test_shadows(void **state)
{
	struct wv_index_image images[] = { { .path = SAMPLE }, { .path = MODULE } };

	build("both.weft", false, images, 2);
	assert_false(images[0].no_table || images[1].no_table);
	EXPECT("sk_buff.destructor", ":destroy+13 exact", "some_module:destroy+13 exact",);
	EXPECT("sock.sk_state", ":touch+6 column", "some_module:touch+6 column",);
	EXPECT("sock.skc_refcnt", ":touch+9 operand", "some_module:touch+9 operand",);
	EXPECT("gone.away", ":-+0 optimized-out", "some_module:-+0 optimized-out",);
	EXPECT("peek", ":destroy+23 symbol", ":other+8 symbol", "some_module:destroy+23 symbol",
	       "some_module:other+8 symbol",);
	EXPECT("sample.c:12", ":destroy+15 line", "some_module:destroy+15 line",);
	EXPECT("destroy%exit", ":destroy+26 symbol", "some_module:destroy+26 symbol",);
	EXPECT("touch+9", ":touch+9 symbol", "some_module:touch+9 symbol",);
	/*
	 * The file of other() is outside the folder of compilation. A module alone does not show
	 * where the source tree begins, but the vmlinux does.
	 */
	EXPECT("other%entry", ":other+4 symbol", "some_module:other+4 symbol",);
	/*
	 * The entry's shadow must lie after endbr64 and ftrace's call. Which bytes ftrace owns is
	 * known from the kernel's list of addresses, which is relocated as well.
	 */
	EXPECT("nopped%entry", ":nopped+5 symbol", "some_module:nopped+5 symbol",);
	EXPECT("destroy%entry", ":destroy+9 symbol", "some_module:destroy+9 symbol",);
}

/*
 * Queries what the database does not have: the result must be -WV_E_NO_MATCH with a message that
 * has @words.
 */
static void expect_none(const char *text, const char *words)
{
	struct wv_pointcut pointcut;
	struct wv_matches matches;
	struct wv_error error = { 0 };
	struct wv_db *db;

	assert_int_equal(wv_db_open(files_path("both.weft"), &db, &error), 0);
	assert_int_equal(wv_pointcut_parse(text, WV_KINDS_ALL, &pointcut, &error), 0);
	assert_int_equal(wv_db_query_like(db, &pointcut, &matches, &error), -WV_E_NO_MATCH);
	assert_contains(error.message, words);
	wv_pointcut_deinit(&pointcut);
	wv_db_close(db);
}

/* "MODULE:" may stand before every form of a pointcut. */
static void test_module_of_pointcut(void **state)
{
	struct wv_index_image images[] = { { .path = SAMPLE }, { .path = MODULE } };

	build("both.weft", false, images, 2);
	EXPECT("some_module:sk_buff.destructor", "some_module:destroy+13 exact",);
	EXPECT("vmlinux:sk_buff.destructor", ":destroy+13 exact",);
	EXPECT("some_module:gone.away", "some_module:-+0 optimized-out",);
	EXPECT("some-module:sample.c:12", "some_module:destroy+15 line",);
	EXPECT("s*:destroy%exit", "some_module:destroy+26 symbol",);
	EXPECT("vmlinux:touch+9", ":touch+9 symbol",);
	EXPECT("some_module:destr*", "some_module:destroy+9 symbol",);
	EXPECT("*:destroy%entry", ":destroy+9 symbol", "some_module:destroy+9 symbol",);
	EXPECT("some_module:sk_buff.destr*", "some_module:destroy+13 exact",);
	expect_none("some_modul:destroy", "did you mean some_module?");
	expect_none("some_module:destry", "did you mean destroy?");
	expect_none("some_module:d?", "no function in 'some_module' is named like 'd?'");
}

static void same(const char *left, const char *right)
{
	size_t n, m;
	unsigned char *a = files_read(files_path(left), &n), *b = files_read(files_path(right), &m);

	assert_int_equal(n, m);
	assert_memory_equal(a, b, n);
	free(a);
	free(b);
}

/* Changes only the module's build-id, so that only the module has to be read again. */
static const char *change_module(void)
{
	static const unsigned char build_id[] = { 0xfe, 0xdc, 0xba, 0x98 };
	unsigned char *bytes, *at;
	const char *path;
	size_t n;

	bytes = files_read(MODULE, &n);
	at = memmem(bytes, n, build_id, sizeof(build_id));
	assert_non_null(at);
	at[0] = 0;
	path = files_write("some-module.ko", bytes, n);
	free(bytes);
	return path;
}

static void test_taking(void **state)
{
	struct wv_index_image images[] = { { .path = SAMPLE }, { .path = MODULE } };

	build("fresh.weft", true, images, 2);
	assert_false(images[0].taken || images[1].taken);
	build("taken.weft", false, images, 1);
	build("taken.weft", false, images, 2);
	assert_true(images[0].taken && !images[1].taken);
	same("fresh.weft", "taken.weft");
	build("taken.weft", false, images, 2);
	assert_true(images[0].taken && images[1].taken);
	same("fresh.weft", "taken.weft");
	images[1].path = change_module();
	build("taken.weft", false, images, 2);
	assert_true(images[0].taken && !images[1].taken);
	build("fresh.weft", true, images, 2);
	assert_false(images[0].taken);
	same("fresh.weft", "taken.weft");
}

/* A damaged old database must not keep weft from making a new one. */
static void test_taking_from_damaged(void **state)
{
	struct wv_index_image images[] = { { .path = SAMPLE }, { .path = MODULE } };
	unsigned char *bytes;
	size_t n;

	build("fresh.weft", true, images, 2);
	bytes = files_read(files_path("fresh.weft"), &n);
	files_write("taken.weft", bytes, n / 2);
	build("taken.weft", false, images, 2);
	same("fresh.weft", "taken.weft");
	for (size_t at = 8192; at < n; at += 8192)
		memset(bytes + at, 0xff, 64);
	files_write("taken.weft", bytes, n);
	build("taken.weft", false, images, 2);
	same("fresh.weft", "taken.weft");
	files_write("taken.weft", "no database", 11);
	build("taken.weft", false, images, 2);
	same("fresh.weft", "taken.weft");
	free(bytes);
}

static void test_order(void **state)
{
	struct wv_index_image first[] = { { .path = MODULE } };
	struct wv_index_image second[] = { { .path = SAMPLE }, { .path = SAMPLE } };
	struct wv_index_image twice[] = { { .path = SAMPLE },
					  { .path = MODULE },
					  { .path = MODULE } };
	struct wv_index_totals totals;
	struct wv_error error = { 0 };

	assert_int_equal(wv_index_images(first, 1, files_path("no.weft"), true, &totals, &error),
			 -WV_E_FORMAT);
	assert_contains(error.message, "the vmlinux comes first");
	assert_int_equal(wv_index_images(second, 2, files_path("no.weft"), true, &totals, &error),
			 -WV_E_FORMAT);
	assert_contains(error.message, "not a module");
	assert_int_equal(wv_index_images(twice, 3, files_path("no.weft"), true, &totals, &error),
			 -WV_E_USAGE);
	assert_contains(error.message, "both named 'some_module'");
	assert_int_equal(wv_index_images(twice, 2, MODULE, true, &totals, &error), -WV_E_USAGE);
	assert_contains(error.message, "would replace the image");
}

/* Makes random changes of the module's bytes. Indexing may fail or succeed, but must not crash. */
static void test_damaged_module(void **state)
{
	struct wv_index_totals totals;
	struct wv_error error = { 0 };
	unsigned char *bytes, *copy;
	size_t n;

	bytes = files_read(MODULE, &n);
	copy = malloc(n);
	srand(6);
	for (int round = 0; round < 400; round++) {
		struct wv_index_image images[] = { { .path = SAMPLE }, { 0 } };

		memcpy(copy, bytes, n);
		for (int k = 0; k <= round % 6; k++)
			copy[rand() % n] = rand();
		images[1].path = files_write("damaged.ko", copy, n);
		if (wv_index_images(images, 2, files_path("damaged.weft"), true, &totals, &error))
			assert_int_equal(error.code, WV_E_FORMAT);
	}
	free(copy);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shadows), cmocka_unit_test(test_module_of_pointcut),
		cmocka_unit_test(test_taking),
		cmocka_unit_test(test_taking_from_damaged), cmocka_unit_test(test_order),
		cmocka_unit_test(test_damaged_module),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
