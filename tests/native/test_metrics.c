// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the arithmetic and the tables of metrics in a process. Every bucket is checked against its
 * own bounds, rows and pairs against a simple reference, pairs with threads that act as CPUs, and
 * all of them with a signal handler that acts as an interrupt and runs between any two
 * instructions.
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Set while the code that runs has interrupted other code. */
static _Bool interrupting;
#define WR_IN_TASK() (!interrupting)
#include "runtime/pair-table.h"
#include "trap-flag.h"

static __u64 random_state = 88172645463325252u;

static __u64 next_random(__u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* ---- tests of values and their buckets ------------------------------------------------------- */

static void check_bucket(__u64 value, uint32_t fine)
{
	uint32_t bucket = wr_log2_bucket(value, fine), last = WR_LOG2_BUCKETS(fine) - 1;
	__u64 least = wr_log2_least(bucket, fine);
	__u64 greatest = bucket < last ? wr_log2_least(bucket + 1, fine) - 1 : UINT64_MAX;
	double middle = ((double)least + (double)greatest) / 2;
	double error = middle > (double)value ? middle - (double)value : (double)value - middle;

	assert_true(bucket <= last);
	assert_true(least <= value && value <= greatest);
	assert_true(error <= (double)value / (double)(2u << fine));
}

static void buckets_hold_their_values(void **state)
{
	for (uint32_t fine = 0; fine <= 5; fine++) {
		for (__u64 value = 0; value < 5000; value++)
			check_bucket(value, fine);
		for (unsigned int bit = 0; bit < 64; bit++)
			for (int64_t around = -2; around <= 2; around++)
				check_bucket((UINT64_C(1) << bit) + (__u64)around, fine);
		for (int i = 0; i < 100000; i++)
			check_bucket(next_random(&random_state) >> (i % 64), fine);
		assert_int_equal(wr_log2_bucket(UINT64_MAX, fine), WR_LOG2_BUCKETS(fine) - 1);
	}
}

enum { ROW_VALUES_MAX = WR_BUCKETS + WR_LOG2_BUCKETS(5) + 1 };

/* The memory of a metric that has one row, with buckets. */
struct one_row {
	struct wr_area head;
	__u64 cells[ROW_VALUES_MAX];
};

static struct one_row *new_row(void)
{
	struct one_row *row = calloc(1, sizeof(*row));

	row->cells[WR_LEAST] = WR_NO_LEAST;
	return row;
}

static void linear_buckets(void **state)
{
	const __s64 values[] = { -11, -10, -1, 0, 9, 10, 29, 30, 1000, INT64_MIN, INT64_MAX };
	struct one_row *row = new_row();
	__u64 *cells = row->cells;
	__u64 sum = 0;

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		wr_linear_add(cells, cells, values[i], -10, 10, 4);
		sum += (__u64)values[i];
	}
	assert_int_equal(cells[WR_TOTAL], sum);
	assert_int_equal(cells[WR_BELOW], 2);
	assert_int_equal(cells[WR_BUCKETS], 2);
	assert_int_equal(cells[WR_BUCKETS + 1], 2);
	assert_int_equal(cells[WR_BUCKETS + 2], 1);
	assert_int_equal(cells[WR_BUCKETS + 3], 1);
	assert_int_equal(cells[WR_BUCKETS + 4], 3);
	assert_int_equal(wr_ordered(cells[WR_LEAST], true), INT64_MIN);
	assert_int_equal(wr_ordered(cells[WR_MOST], true), INT64_MAX);
	free(row);
}

/*
 * After each value of a random stream, the extremes must be those of all values so far. The values
 * grow from few bits to 64 again and again; they are unsigned in the first round and signed in the
 * second.
 */
static void extremes_are_exact(void **state)
{
	for (int has_sign = 0; has_sign < 2; has_sign++) {
		struct one_row *row = new_row();
		__u64 *cells = row->cells, least = 0, most = 0;

		for (int i = 0; i < 20000; i++) {
			__u64 value = next_random(&random_state) >> (63 - i / 16 % 64);

			if (has_sign && i % 3 == 0)
				value = -value;
			if (!i || (has_sign ? (__s64)value < (__s64)least : value < least))
				least = value;
			if (!i || (has_sign ? (__s64)value > (__s64)most : value > most))
				most = value;
			wr_log2_add(cells, cells, value, has_sign, 3);
			assert_int_equal(wr_ordered(cells[WR_LEAST], has_sign), least);
			assert_int_equal(wr_ordered(cells[WR_MOST], has_sign), most);
			assert_int_equal(row->head.has_sign, has_sign);
		}
		free(row);
	}
}

static void nanoseconds(void **state)
{
	/* Converts ticks of clocks of 1 GHz and 3 GHz, and one whose product needs over 64 bits. */
	assert_int_equal(wr_nanoseconds(12345, UINT64_C(1) << 32), 12345);
	assert_int_equal(wr_nanoseconds(3000000000u, (UINT64_C(1) << 32) / 3), 999999999);
	assert_int_equal(wr_nanoseconds(UINT64_C(1) << 60, UINT64_C(1) << 31), UINT64_C(1) << 59);
	assert_int_equal(wr_pair_units(100 << WR_PAIR_TIME, 150, 20), 30);
	assert_int_equal(wr_pair_units(100 << WR_PAIR_TIME, 190, (__u64)-130), 30);
}

/* ---- tests of rows and their keys ------------------------------------------------------------ */

enum { BITS = 6, ROWS = 1 << BITS, VALUES = 2, KEY_WORDS = 3 + WR_TEXT_WORDS };

static const struct wr_layout layout = {
	.bits = BITS, .key_words = WR_TEXT_WORDS, .nr_values = VALUES, .weight = WR_COUNT,
};

/* Returns the cells of a new table, which free_cells() frees. */
static __u64 *new_cells(void)
{
	struct wr_area *area = calloc(1, sizeof(struct wr_area) +
						 (ROWS * (KEY_WORDS + VALUES) +
						  VALUES) * sizeof(__u64));

	return area->cells;
}

static void free_cells(__u64 *cells)
{
	free(wr_area_of(cells));
}

static void rows_keep_keys_apart(void **state)
{
	__u64 *cells = new_cells();
	__u64 keys[ROWS] = { 0, UINT64_MAX, 2, WR_KEY_TURN, WR_KEY_TURN ^ 4, 1 };
	__u64 *row;

	for (size_t i = 6; i < ROWS; i++)
		keys[i] = i % 2 ? i : UINT64_C(0xffff888000000000) + i * 64;
	for (size_t round = 1; round <= 3; round++) {
		for (size_t i = 0; i < ROWS; i++) {
			row = wr_row(cells, layout, keys[i], WEFT_KEY_UNSIGNED, NULL);
			assert_non_null(row);
			wr_increment(&row[WR_COUNT]);
			wr_add(&row[WR_SUM], i);
			assert_int_equal(row[WR_COUNT], round);
			assert_int_equal(row[WR_SUM], round * i);
		}
	}
	/*
	 * In an interrupt a new key must take no row from another key: wr_row() returns the row of
	 * all other keys.
	 */
	interrupting = true;
	assert_ptr_equal(wr_row(cells, layout, 4711, WEFT_KEY_UNSIGNED, NULL),
			 wr_others(cells, layout));
	interrupting = false;
	assert_int_equal(wr_area_of(cells)->full, 1);
	assert_int_equal(wr_area_of(cells)->kinds, WEFT_KEY_UNSIGNED);
	free_cells(cells);
}

/* Keys that would be stored as the mark of an unused or busy row are stored as WR_KEY_LEAST. */
static void keys_are_never_stored_as_a_state(void **state)
{
	__u64 *cells = new_cells(), *row = NULL;

	for (__u64 turned = 0; turned <= WR_KEY_LEAST; turned++) {
		row = wr_row(cells, layout, WR_KEY_TURN ^ turned, WEFT_KEY_UNSIGNED, NULL);
		wr_increment(&row[WR_COUNT]);
		assert_int_equal(row[-KEY_WORDS], WR_KEY_LEAST);
	}
	assert_int_equal(row[WR_COUNT], 4);
	free_cells(cells);
}

static void texts_are_kept(void **state)
{
	__u64 *cells = new_cells();
	__u64 text[WR_TEXT_WORDS] = { 0 }, *row;

	strcpy((char *)text, "ksoftirqd/0");
	row = wr_row(cells, layout, wr_words_key(0, text, WR_TEXT_WORDS), WEFT_KEY_TEXT, text);
	assert_string_equal((char *)(row - WR_TEXT_WORDS - 2), "ksoftirqd/0");
	assert_int_equal(row[-2], 1);
	assert_ptr_equal(row, wr_row(cells, layout, wr_words_key(0, text, WR_TEXT_WORDS),
				     WEFT_KEY_NONE, NULL));
	assert_int_equal(wr_area_of(cells)->kinds, WEFT_KEY_TEXT);
	free_cells(cells);
}

/*
 * A row whose key is made of several values keeps the words of these values. The word after them is
 * 1 when all of them are stored.
 */
static void rows_of_several_values(void **state)
{
	const struct wr_layout two = {
		.bits = 4, .key_words = 3, .hashed = 1, .nr_values = 1,
	};
	const __u64 kinds = WEFT_KEY_TEXT | WEFT_KEY_UNSIGNED << 8;
	__u64 *cells = new_cells(), *row;

	for (__u64 i = 0; i < 16; i++) {
		__u64 words[3] = { 0x6d6d6f63, 0, i };
		__u64 key = wr_hashed_key(wr_words_key(0, words, 3));

		assert_null(wr_first_row(cells, two, key));
		row = wr_row(cells, two, key, i ? kinds : 0, i ? words : NULL);
		assert_non_null(row);
		if (!i)
			assert_ptr_equal(wr_first_row(cells, two, key), row);
		assert_int_equal(row[-2], i != 0);
		assert_int_equal(row[-3], i);
		assert_ptr_equal(row, wr_row(cells, two, key, 0, NULL));
		assert_int_equal(wr_area_of(cells)->kinds, i ? kinds : 0);
	}
	free_cells(cells);
}

/* ---- tests of pairs of starts and ends ------------------------------------------------------- */

enum { PAIR_BITS = 3, NR_SLOTS = WR_PAIR_WAYS << PAIR_BITS };

static struct wr_pairs new_pairs(void)
{
	struct wr_pairs pairs = {
		.slots = aligned_alloc(64, NR_SLOTS * sizeof(struct wr_pair)),
		.by = calloc(NR_SLOTS, sizeof(__u64)),
		.bits = PAIR_BITS,
	};

	for (int i = 0; i < NR_SLOTS; i++)
		pairs.slots[i] = (struct wr_pair){ .start = WR_PAIR_FREE };
	return pairs;
}

static void free_pairs(struct wr_pairs *pairs)
{
	free(pairs->slots);
	free(pairs->by);
}

static bool start(const struct wr_pairs *pairs, __u64 key, __u64 now)
{
	struct wr_pair *slot = wr_pair_claim(pairs->slots, PAIR_BITS, key);

	if (!slot)
		return false;
	pairs->by[slot - pairs->slots] = key;
	wr_pair_start(slot, now, true);
	return true;
}

/* Ends a pair. Returns the time of the start that belongs to this end; 0: there was none. */
static __u64 end(const struct wr_pairs *pairs, __u64 key)
{
	__u64 by = 0, state = wr_pair_take(pairs, PAIR_BITS, key, &by, NULL);

	assert_true(!state || by == key);
	return state >> WR_PAIR_TIME;
}

static bool share_bucket(const struct wr_pairs *pairs, __u64 a, __u64 b)
{
	return wr_pair_bucket(pairs->slots, PAIR_BITS, a) ==
	       wr_pair_bucket(pairs->slots, PAIR_BITS, b);
}

static void pairs_nest_and_interleave(void **state)
{
	struct wr_pairs pairs = new_pairs();
	__u64 other = 2;

	while (!share_bucket(&pairs, 1, other))
		other++;
	assert_int_equal(end(&pairs, 1), 0);
	/* Interleaves pairs of two keys in one bucket: the pair that starts first ends first. */
	start(&pairs, 1, 10);
	start(&pairs, other, 11);
	assert_int_equal(end(&pairs, 1), 10);
	assert_int_equal(end(&pairs, other), 11);
	assert_int_equal(end(&pairs, other), 0);
	/* Nests pairs while the free slots change: an end must find the newest start of its key. */
	start(&pairs, other, 20);
	start(&pairs, 1, 21);
	start(&pairs, 1, 22);
	assert_int_equal(end(&pairs, other), 20);
	start(&pairs, 1, 23);
	assert_int_equal(end(&pairs, 1), 23);
	assert_int_equal(end(&pairs, 1), 22);
	start(&pairs, 1, 24);
	assert_int_equal(end(&pairs, 1), 24);
	assert_int_equal(end(&pairs, 1), 21);
	assert_int_equal(end(&pairs, 1), 0);
	/*
	 * A bucket holds WR_PAIR_WAYS starts. Here all are of one key, and the next start finds no
	 * room.
	 */
	for (__u64 depth = 0; depth < WR_PAIR_WAYS; depth++)
		assert_true(start(&pairs, 1, 100 + depth));
	assert_false(start(&pairs, other, 200));
	for (__u64 depth = WR_PAIR_WAYS; depth--;)
		assert_int_equal(end(&pairs, 1), 100 + depth);
	for (int i = 0; i < NR_SLOTS; i++)
		assert_int_equal(pairs.slots[i].start, WR_PAIR_FREE);
	free_pairs(&pairs);
}

/* Makes random starts and ends of a few keys, and compares them with one stack for each key. */
static void pairs_against_stacks(void **state)
{
	enum { KEYS = 5, DEPTH = 64 };
	struct wr_pairs pairs = new_pairs();
	__u64 stacks[KEYS][DEPTH], depth[KEYS] = { 0 };

	for (__u64 now = 10; now < 300000; now++) {
		__u64 random = next_random(&random_state), key = random % KEYS;

		if (random >> 32 & 1) {
			if (depth[key] < DEPTH && start(&pairs, key, now))
				stacks[key][depth[key]++] = now;
		} else {
			assert_int_equal(end(&pairs, key),
					 depth[key] ? stacks[key][--depth[key]] : 0);
		}
	}
	free_pairs(&pairs);
}

/* Starts a pair of @key that replaces the key's waiting start, if there is one. */
static bool renew(__u64 *cells, const struct wr_pairs *pairs, __u64 key, __u64 now)
{
	struct wr_pair *slot = wr_pair_renew(cells, pairs->slots, PAIR_BITS, key);

	if (!slot)
		return false;
	pairs->by[slot - pairs->slots] = key;
	wr_pair_start_renewed(slot, now, true);
	return true;
}

static void newest_replaces(void **state)
{
	enum { KEYS = 20 }; /* Each bucket has several of these keys. */
	struct wr_pairs pairs = new_pairs();
	__u64 *cells = new_cells(), last[KEYS] = { 0 }, replaced = 0;

	for (__u64 now = 10; now < 300000; now++) {
		__u64 random = next_random(&random_state), key = random % KEYS;

		if (random >> 32 & 1) {
			assert_true(renew(cells, &pairs, key, now));
			replaced += last[key] != 0;
			last[key] = now;
		} else if (random >> 33 & 1) {
			assert_int_equal(wr_pair_drop(pairs.slots, PAIR_BITS, key),
					 last[key] != 0);
			last[key] = 0;
		} else {
			assert_int_equal(end(&pairs, key), last[key]);
			last[key] = 0;
		}
	}
	assert_int_equal(wr_area_of(cells)->replaced, replaced);
	free_cells(cells);
	free_pairs(&pairs);
}

/*
 * A start that finds no room is counted as deep if starts of its own key take most of the bucket,
 * else as dropped. `weft report` needs the difference, since it advises nest="no" against deep
 * starts and more pairs against dropped ones.
 */
static void no_room_is_told_apart(void **state)
{
	struct wr_pairs pairs = new_pairs();
	__u64 *cells = new_cells(), other = 2;

	for (__u64 depth = 0; depth < WR_PAIR_WAYS; depth++)
		assert_true(start(&pairs, 1, 100 + depth));
	while (!share_bucket(&pairs, 1, other))
		other++;
	wr_pair_no_room(cells, pairs.slots, PAIR_BITS, 1);
	wr_pair_no_room(cells, pairs.slots, PAIR_BITS, other);
	assert_int_equal(wr_area_of(cells)->deep, 1);
	assert_int_equal(wr_area_of(cells)->dropped, 1);
	free_cells(cells);
	free_pairs(&pairs);
}

/* ---- tests of pairs that several CPUs start and end ------------------------------------------ */

enum { THREADS = 4, OPERATIONS = 300000, SHARED_KEYS = 23, KEY_BITS = 5 };

struct worker {
	pthread_t thread;
	const struct wr_pairs *pairs;
	__u64 seed, started, ended, unmatched, dropped, wrong;
};

static __u64 clock_of_all = 16;

/*
 * Each operation has a random key, and either starts a pair of the key or ends one. The time of a
 * start has the key in its low bits, so that an end that gets the start of another key is noticed.
 */
static void *work(void *argument)
{
	struct worker *worker = argument;

	for (int i = 0; i < OPERATIONS; i++) {
		__u64 random = next_random(&worker->seed), key = random % SHARED_KEYS;
		__u64 now =
			__atomic_add_fetch(&clock_of_all, 1, __ATOMIC_RELAXED) << KEY_BITS | key;
		__u64 state;

		if (random >> 32 & 1) {
			struct wr_pair *slot = wr_pair_claim(worker->pairs->slots, PAIR_BITS, key);

			if (slot)
				wr_pair_start(slot, now, true);
			worker->started += slot != NULL;
			worker->dropped += !slot;
			continue;
		}
		state = wr_pair_take(worker->pairs, PAIR_BITS, key, NULL, NULL);
		worker->ended += state != 0;
		worker->unmatched += !state;
		worker->wrong += state && (state >> WR_PAIR_TIME & ((1 << KEY_BITS) - 1)) != key;
	}
	return NULL;
}

static void threads_lose_no_pair(void **state)
{
	struct wr_pairs pairs = new_pairs();
	struct worker workers[THREADS] = { 0 };
	__u64 started = 0, ended = 0, open = 0, wrong = 0;

	for (int i = 0; i < THREADS; i++) {
		workers[i].pairs = &pairs;
		workers[i].seed = 7777777 + (__u64)i;
		assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		started += workers[i].started;
		ended += workers[i].ended;
		wrong += workers[i].wrong;
		assert_true(workers[i].ended && workers[i].unmatched && workers[i].dropped);
	}
	for (int i = 0; i < NR_SLOTS; i++)
		open += wr_pair_is_waiting(wr_pair_state(&pairs.slots[i]));
	assert_int_equal(wrong, 0);
	assert_int_equal(started, ended + open);
	free_pairs(&pairs);
}

/* ---- tests of pairs that do not nest and that two CPUs start at once ------------------------- */

enum { MEETINGS = 20000, MEETING_KEY = 1 };

/*
 * A meeting of two threads, which act as CPUs: both start a pair of one key at the same time. In
 * every second meeting a pair of another key ends at the same time; this pair has the first slot of
 * the bucket.
 */
struct meeting {
	struct wr_pairs pairs; /* The table in which both CPUs start a pair. */
	__u64 *cells[2], other; /* The rows of each CPU, and the key of the other pair. */
	/*
	 * Sums over all meetings so far of the threads that have come, and of those that have left.
	 */
	int present, left;
};

static void wait_for_both(int *count, int round)
{
	__atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
	for (int i = 1; __atomic_load_n(count, __ATOMIC_SEQ_CST) < 2 * (round + 1); i++)
		if (i % 1000 == 0)
			sched_yield();
}

static void *meet(void *meeting_)
{
	struct meeting *meeting = meeting_;

	for (int i = 0; i < MEETINGS; i++) {
		wait_for_both(&meeting->present, i);
		renew(meeting->cells[1], &meeting->pairs, MEETING_KEY, 10 + 4 * i);
		wait_for_both(&meeting->left, i);
	}
	return NULL;
}

/*
 * Whatever the two starts of a meeting leave in the table, the next start of the same key must
 * replace it. So after that start exactly one end finds a start, which is that one.
 */
static void no_start_stays_for_ever(void **state)
{
	struct meeting meeting = { .pairs = new_pairs(), .cells = { new_cells(), new_cells() },
				   .other = MEETING_KEY + 1 };
	pthread_t thread;
	int found_old = 0;

	while (!share_bucket(&meeting.pairs, MEETING_KEY, meeting.other))
		meeting.other++;
	pthread_create(&thread, NULL, meet, &meeting);
	for (int i = 0; i < MEETINGS; i++) {
		__u64 now = 11 + 4 * i;

		if (i % 2)
			renew(meeting.cells[0], &meeting.pairs, meeting.other, now);
		wait_for_both(&meeting.present, i);
		if (i % 2)
			end(&meeting.pairs, meeting.other);
		renew(meeting.cells[0], &meeting.pairs, MEETING_KEY, now);
		wait_for_both(&meeting.left, i);
		renew(meeting.cells[0], &meeting.pairs, MEETING_KEY, now + 1);
		if (end(&meeting.pairs, MEETING_KEY) != now + 1 ||
		    end(&meeting.pairs, MEETING_KEY))
			found_old++;
		while (end(&meeting.pairs, MEETING_KEY))
			;
	}
	pthread_join(thread, NULL);
	assert_int_equal(found_old, 0);
	for (int i = 0; i < NR_SLOTS; i++)
		assert_int_equal(meeting.pairs.slots[i].start, WR_PAIR_FREE);
	free_cells(meeting.cells[0]);
	free_cells(meeting.cells[1]);
	free_pairs(&meeting.pairs);
}

/* ---- tests of hits that are interrupted after any instruction -------------------------------- */

static __u64 *interrupted_cells;
static struct one_row *interrupted_row;
static struct wr_pairs interrupted_pairs;
static volatile __u64 steps, interrupt_at, interrupting_key, lost, wrong_ends;
static __u64 ticks = 16;

/*
 * What one hit does: adds to the row of @key, and starts and ends a pair that nests in whatever
 * pair has begun already.
 */
static void hit(__u64 key)
{
	__u64 *row = wr_row(interrupted_cells, layout, key, WEFT_KEY_UNSIGNED, NULL);
	__u64 now = __atomic_add_fetch(&ticks, 1, __ATOMIC_RELAXED);

	if (row) {
		wr_increment(&row[WR_COUNT]);
		wr_add(&row[WR_SUM], key);
	} else {
		lost++;
	}
	wr_log2_add(interrupted_row->cells, interrupted_row->cells, key, false, 0);
	if (!start(&interrupted_pairs, 5, now))
		wrong_ends++;
	else if (end(&interrupted_pairs, 5) != now)
		wrong_ends++;
}

static void on_step(int signal)
{
	if (++steps != interrupt_at)
		return;
	interrupting = true;
	hit(interrupting_key);
	interrupting = false;
}

static __u64 find_rival(__u64 key)
{
	__u64 rival = ROWS;

	while (rival == key ||
	       wr_hash(rival ^ WR_KEY_TURN, BITS) != wr_hash(key ^ WR_KEY_TURN, BITS))
		rival++;
	return rival;
}

/* Interrupts a hit of @key after @at instructions. Returns false if the hit has fewer. */
static bool interrupt(__u64 key, unsigned int at)
{
	__u64 count = 0;

	interrupted_row = new_row();
	steps = 0;
	interrupt_at = at;
	trap_flag_set();
	hit(key);
	trap_flag_clear();
	assert_int_equal(lost, 0);
	assert_int_equal(wrong_ends, 0);
	for (int i = 0; i < ROWS; i++) {
		__u64 *row = &interrupted_cells[i * (KEY_WORDS + VALUES)];

		count += row[KEY_WORDS + WR_COUNT];
		assert_int_equal(row[KEY_WORDS + WR_SUM], row[KEY_WORDS + WR_COUNT] *
								      (*row ^ WR_KEY_TURN) *
								      (*row != 0));
		memset(row, 0, (KEY_WORDS + VALUES) * sizeof(*row));
	}
	assert_int_equal(count, steps >= at ? 2 : 1);
	if (steps < at)
		interrupting_key = key;
	assert_int_equal(interrupted_row->cells[WR_LEAST],
			 key < interrupting_key ? key : interrupting_key);
	assert_int_equal(interrupted_row->cells[WR_MOST],
			 key > interrupting_key ? key : interrupting_key);
	free(interrupted_row);
	return steps >= at;
}

/*
 * Interrupts a hit at each of its instructions by a hit of the same key, and by a hit of another
 * key with the same row and the same bucket. No count may be lost.
 */
static void interrupts_lose_nothing(void **state)
{
	const struct sigaction action = { .sa_handler = on_step };
	const __u64 key = 77, keys[] = { key, find_rival(key) };
	unsigned int at;

	interrupted_cells = new_cells();
	interrupted_pairs = new_pairs();
	sigaction(SIGTRAP, &action, NULL);
	for (int i = 0; i < 2; i++) {
		interrupting_key = keys[i];
		for (at = 1; interrupt(key, at); at++)
			;
		assert_true(at > 50);
	}
	signal(SIGTRAP, SIG_DFL);
	free_pairs(&interrupted_pairs);
	free_cells(interrupted_cells);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_hold_their_values),
		cmocka_unit_test(linear_buckets),
		cmocka_unit_test(extremes_are_exact),
		cmocka_unit_test(nanoseconds),
		cmocka_unit_test(rows_keep_keys_apart),
		cmocka_unit_test(keys_are_never_stored_as_a_state),
		cmocka_unit_test(texts_are_kept),
		cmocka_unit_test(rows_of_several_values),
		cmocka_unit_test(pairs_nest_and_interleave),
		cmocka_unit_test(pairs_against_stacks),
		cmocka_unit_test(newest_replaces),
		cmocka_unit_test(no_room_is_told_apart),
		cmocka_unit_test(threads_lose_no_pair),
		cmocka_unit_test(no_start_stays_for_ever),
		cmocka_unit_test(interrupts_lose_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
