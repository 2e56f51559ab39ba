// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests a table of metrics that gets more keys than it has rows. The rows that it keeps, and what
 * it says of the other keys, are compared with the true counts of each key.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runtime/metric-table.h"

static __u64 random_state = 88172645463325252u;

static __u64 next_random(__u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

enum { OCTAVES = 14, KEYS_MAX = 1 << OCTAVES };

/* Returns the next key of a stream in which key k comes about 1 / k as often as key 1. */
static __u64 next_skewed(void)
{
	const __u64 span = 1ull << next_random(&random_state) % OCTAVES;

	return span + next_random(&random_state) % span;
}

/* Returns the weight of the lightest row that @key could have. */
static __u64 lightest(__u64 *cells, const struct wr_layout rows, __u64 key)
{
	__u64 least = UINT64_MAX;

	for (__u32 i = 0; i < WR_PROBES && i >> rows.bits == 0; i++) {
		__u32 first = key >> (64 - rows.bits);
		__u64 weight = wr_row_weight(wr_row_at(cells, rows, first, i), rows);

		least = weight < least ? weight : least;
	}
	return least;
}

/*
 * Hits keys in a skewed random order, far more keys than the table has rows. Afterwards the
 * heaviest keys must have a row; a row's count must be at most its key's true count, and at least
 * that minus the weight that the row began with. The smallest tables are one set of WR_PROBES rows
 * or fewer, the others several sets.
 */
static void heaviest_rows_are_kept(void **state)
{
	enum { HITS = 400000 };

	for (__u32 bits = 4; bits <= 9; bits++) {
		const struct wr_layout rows = {
			.bits = bits, .key_words = 1, .hashed = 1, .nr_values = 2,
		};
		__u64 *cells = ((struct wr_area *)calloc(1, sizeof(struct wr_area) +
					((WR_ROW_WORDS(rows) << bits) + 2) * 8))->cells;
		__u64 *truth = calloc(KEYS_MAX, sizeof(__u64)), sum = 0, value_sum = 0;
		__u64 in_rows[KEYS_MAX] = { 0 };

		for (int i = 0; i < HITS; i++) {
			__u64 key = next_skewed(), *values;

			values = wr_row(cells, rows, wr_hashed_key(wr_mix(0, key)),
					WEFT_KEY_UNSIGNED, &key);
			wr_increment(&values[WR_COUNT]);
			wr_add(&values[WR_SUM], key);
			truth[key]++;
		}
		for (__u32 i = 0; i < 1u << bits; i++) {
			__u64 *row = wr_row_at(cells, rows, i, 0);
			__u64 *values = row + WR_KEY_WORDS(rows);

			if (!*row)
				continue;
			assert_int_equal(*row, wr_hashed_key(wr_mix(0, row[1])));
			assert_int_equal(values[WR_SUM], values[WR_COUNT] * row[1]);
			assert_true(values[WR_COUNT] <= truth[row[1]]);
			assert_true(values[WR_COUNT] + values[-1] >= truth[row[1]]);
			in_rows[row[1]] = 1;
			sum += values[WR_COUNT];
			value_sum += values[WR_SUM];
		}
		for (__u64 key = 0; key < KEYS_MAX; key++) {
			__u64 most = lightest(cells, rows, wr_hashed_key(wr_mix(0, key)));

			assert_true(in_rows[key] || truth[key] <= most);
			value_sum -= truth[key] * key;
		}
		assert_int_equal(sum + wr_others(cells, rows)[WR_COUNT], HITS);
		assert_int_equal(value_sum + wr_others(cells, rows)[WR_SUM], 0);
		assert_true(wr_area_of(cells)->replaced_rows);
		assert_int_equal(wr_area_of(cells)->full, 0);
		/*
		 * A key with more than 1/n of all hits must have a row, where n is the number of
		 * rows in a set.
		 */
		for (__u64 key = 1; key < KEYS_MAX; key++)
			assert_true(in_rows[key] ||
				    truth[key] <= HITS / (bits < 6 ? 1u << bits : WR_PROBES));
		assert_true(truth[1] > HITS / 16);
		free(truth);
		free(wr_area_of(cells));
	}
}

/* Hits a key whose first row is @index; keys with different @number are different. */
static __u64 hit_at(__u64 *cells, const struct wr_layout rows, __u32 index, __u64 number,
		    unsigned int times)
{
	__u64 key = wr_hashed_key((__u64)index << (64 - rows.bits) | number << 1);

	while (times--)
		wr_increment(&wr_row(cells, rows, key, WEFT_KEY_UNSIGNED, &number)[WR_COUNT]);
	return key;
}

/*
 * Tests that a key without a row was hit at most as often as the lightest row of its set weighs.
 * One key, the victim, is hit often. Then many keys are hit whose first rows are close after the
 * victim's. If sets of rows overlapped, one of these keys could take the victim's row although the
 * victim's set has lighter rows, which that key cannot reach.
 */
static void what_lost_its_row_had_no_more(void **state)
{
	enum { BITS = 7, FIRST = WR_PROBES / 2, HEAVY = 100 };
	const struct wr_layout rows = {
		.bits = BITS, .key_words = 1, .hashed = 1, .nr_values = 2,
	};
	__u64 *cells = ((struct wr_area *)calloc(1, sizeof(struct wr_area) +
				((WR_ROW_WORDS(rows) << BITS) + 2) * 8))->cells;
	__u64 victim, number = 1;
	bool has_row = false;

	for (__u32 i = 0; i < FIRST; i++)
		hit_at(cells, rows, i, number++, 1);
	victim = hit_at(cells, rows, FIRST - 1, number++, HEAVY);
	for (__u32 i = 0; i < 2 * WR_PROBES; i++)
		hit_at(cells, rows, FIRST + i % WR_PROBES, number++, HEAVY);
	for (__u32 i = 0; i < 1u << BITS; i++)
		has_row |= *wr_row_at(cells, rows, i, 0) == victim;
	assert_true(has_row || lightest(cells, rows, victim) >= HEAVY);
	assert_true(wr_area_of(cells)->replaced_rows);
	free(wr_area_of(cells));
}

/*
 * When a key with buckets loses its row, its values and extremes must go to the row of all other
 * keys.
 */
static void replaced_rows_leave_all(void **state)
{
	const struct wr_layout rows = {
		.bits = 1, .nr_values = WR_VALUES(WEFT_METRIC_HISTOGRAM, WR_LOG2_BUCKETS(0)),
	};
	__u64 *cells = ((struct wr_area *)calloc(1, sizeof(struct wr_area) +
				(2 * WR_ROW_WORDS(rows) + rows.nr_values) * 8))->cells;
	__u64 *others = wr_others(cells, rows), count = 0;

	for (__u32 i = 0; i < 2; i++)
		wr_row_at(cells, rows, i, 0)[WR_KEY_WORDS(rows) + WR_LEAST] = WR_NO_LEAST;
	others[WR_LEAST] = WR_NO_LEAST;
	for (__u64 key = 1; key <= 10; key++)
		for (__u64 value = key; value < key * 3; value++)
			wr_log2_add(cells, wr_row(cells, rows, key, WEFT_KEY_UNSIGNED, NULL), value,
				    false, 0);
	for (__u32 i = WR_BELOW; i < rows.nr_values; i++)
		count += others[i];
	assert_int_equal(wr_area_of(cells)->replaced_rows, 8);
	assert_int_equal(count, 2 * (1 + 2 + 3 + 4 + 5 + 6 + 7 + 8));
	assert_int_equal(others[WR_LEAST], 1);
	assert_int_equal(others[WR_MOST], 8 * 3 - 1);
	free(wr_area_of(cells));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heaviest_rows_are_kept),
		cmocka_unit_test(what_lost_its_row_had_no_more),
		cmocka_unit_test(replaced_rows_leave_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
