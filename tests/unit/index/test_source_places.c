// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests index/source-places.c, which merges the rows of line tables with inlined instances. Both
 * are made by hand here, and some are damaged.
 */
#include <stdlib.h>

#include "cmocka-all.h"
#include "index/source-places.h"

enum { OUTER = 7, INNER = 8, FILES = 3 };

struct bench {
	struct wv_merge merge; /* File number n of the paths is file 10 + n. */
	wv_rows rows; /* The rows of the line table. */
	struct wv_debug debug; /* Has the pieces of inlined instances. */
	struct wv_source_places places; /* The merged positions. */
};

static void add_row(struct bench *bench, uint64_t address, uint32_t size, uint32_t file,
		    uint32_t line)
{
	struct wv_row *row = wv_vec_push(&bench->rows);

	assert_non_null(row);
	*row = (struct wv_row){ .address = address, .size = size, .file = file, .line = line,
				.column = line };
}

/*
 * Adds a piece of an inlined instance. Pieces must be added in the order in which wv_debug_init()
 * leaves them.
 */
static void add_piece(struct bench *bench, uint64_t start, uint64_t end, uint32_t function,
		      uint32_t depth)
{
	struct wv_inlined_piece *piece = wv_vec_push(&bench->debug.inlined_pieces);

	assert_non_null(piece);
	*piece = (struct wv_inlined_piece){ start, end, function, depth };
}

static void bench_init(struct bench *bench)
{
	*bench = (struct bench){ 0 };
	for (uint32_t file = 0; file < FILES; file++) {
		uint32_t *slot = wv_vec_push(&bench->merge.file_of);

		assert_non_null(slot);
		*slot = 10 + file;
	}
}

/*
 * Merges, and compares all positions with @expected, whose elements are address, file, line and
 * function.
 */
static void expect(struct bench *bench, const uint64_t (*expected)[4], size_t n)
{
	struct wv_error error = { 0 };

	assert_int_equal(wv_source_places_init(&bench->places, &bench->debug, &bench->rows,
					       &bench->merge, &error), 0);
	assert_int_equal(bench->places.list.n, n);
	for (size_t i = 0; i < n; i++) {
		const struct wv_source_position *place = &bench->places.list.data[i];

		assert_int_equal(place->address, expected[i][0]);
		assert_int_equal(place->location.file, expected[i][1]);
		assert_int_equal(place->location.line, expected[i][2]);
		assert_int_equal(place->location.column, expected[i][2]);
		assert_int_equal(place->function, expected[i][3]);
	}
}
#define EXPECT(bench, ...)                                                \
	do {                                                              \
		const uint64_t expected_[][4] = { __VA_ARGS__ };          \
		expect(bench, expected_, sizeof(expected_) / sizeof(*expected_)); \
	} while (0)

static void bench_deinit(struct bench *bench)
{
	wv_source_places_deinit(&bench->places);
	wv_vec_deinit(&bench->rows);
	wv_vec_deinit(&bench->debug.inlined_pieces);
	wv_vec_deinit(&bench->merge.file_of);
}

/* Units may come in any order. If an address has several rows, the last one counts. */
static void test_rows(void **state)
{
	struct bench bench;

	bench_init(&bench);
	add_row(&bench, 0x30, 8, 2, 5);
	add_row(&bench, 0x10, 4, 0, 1);
	add_row(&bench, 0x14, 0, 0, 2);
	add_row(&bench, 0x14, 4, 1, 3);
	add_row(&bench, 0x18, 8, 1, 3);
	EXPECT(&bench, { 0x10, 10, 1, WV_NOT_INLINED }, { 0x14, 11, 3, WV_NOT_INLINED },
	       { 0x20, 0, 0, WV_NOT_INLINED }, { 0x30, 12, 5, WV_NOT_INLINED },
	       { 0x38, 0, 0, WV_NOT_INLINED });
	assert_null(wv_source_places_at(&bench.places, 0xf));
	assert_int_equal(wv_source_places_at(&bench.places, 0x10)->location.line, 1);
	assert_int_equal(wv_source_places_at(&bench.places, 0x1f)->location.line, 3);
	assert_int_equal(wv_source_places_at(&bench.places, 0x20)->location.line, 0);
	assert_int_equal(wv_source_places_at(&bench.places, 0x1000)->location.line, 0);
	bench_deinit(&bench);
}

/*
 * The innermost inlined function counts. The pieces may begin and end between the addresses of
 * rows.
 */
static void test_inlined(void **state)
{
	struct bench bench;

	bench_init(&bench);
	add_row(&bench, 0x10, 0x10, 0, 1);
	add_row(&bench, 0x20, 0x10, 1, 2);
	add_piece(&bench, 0x12, 0x28, OUTER, 1);
	add_piece(&bench, 0x14, 0x18, INNER, 2);
	add_piece(&bench, 0x20, 0x24, INNER, 2);
	EXPECT(&bench, { 0x10, 10, 1, WV_NOT_INLINED }, { 0x12, 10, 1, OUTER },
	       { 0x14, 10, 1, INNER }, { 0x18, 10, 1, OUTER }, { 0x20, 11, 2, INNER },
	       { 0x24, 11, 2, OUTER }, { 0x28, 11, 2, WV_NOT_INLINED },
	       { 0x30, 0, 0, WV_NOT_INLINED });
	bench_deinit(&bench);
}

/*
 * Damaged input must be accepted: pieces that overlap, nest the wrong way, lie where there is no
 * row, or nest more deeply than the limit.
 */
static void test_damaged(void **state)
{
	struct wv_error error = { 0 };
	struct bench bench;

	bench_init(&bench);
	add_row(&bench, 0x10, 0x10, 0, 1);
	add_piece(&bench, 0x8, 0x14, INNER, 2);
	add_piece(&bench, 0x12, 0x18, OUTER, 1);
	EXPECT(&bench, { 0x8, 0, 0, INNER }, { 0x10, 10, 1, INNER }, { 0x14, 10, 1, OUTER },
	       { 0x18, 10, 1, WV_NOT_INLINED }, { 0x20, 0, 0, WV_NOT_INLINED });
	wv_source_places_deinit(&bench.places);
	for (uint32_t depth = 3; depth < 2000; depth++)
		add_piece(&bench, 0x1a, 0x1b, INNER, depth);
	assert_int_equal(wv_source_places_init(&bench.places, &bench.debug, &bench.rows,
					       &bench.merge, &error), 0);
	assert_int_equal(wv_source_places_at(&bench.places, 0x1a)->function, INNER);
	assert_int_equal(wv_source_places_at(&bench.places, 0x1b)->function, WV_NOT_INLINED);
	bench_deinit(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_inlined),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
