// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests several readers of the buffer of records: each has a cursor of its own, and the writer sees
 * the slowest only. As weft.ko does (kmod/record/view.c), readers exclude each other by a lock, and
 * move on those that are too late.
 */
#include <pthread.h>
#include <sched.h>

#include "ring-records.h"
#include "trap-flag.h"

enum { READERS = 8, MANY_WRITTEN = 1 << 19 };

/* A reader with a cursor of its own; under readers_lock. */
struct reader {
	struct wr_cursor cursor;
	struct seen seen;
	uint64_t missed; /* records that it was moved over */
	unsigned int pace; /* it reads up to this many records at a time, and then waits */
};

static pthread_mutex_t readers_lock = PTHREAD_MUTEX_INITIALIZER;
static struct reader readers[READERS];

/* Returns the next record of @reader, and counts those that were lost before it. */
static const struct record *peek_as(struct reader *reader)
{
	const __u64 before = reader->cursor.at;
	const struct record *record = wr_ring_peek(&ring, &reader->cursor);

	if (reader->cursor.at != before)
		reader->seen.lost += reader->cursor.seen.lost;
	return record;
}

/* Moves on readers that are more than half a ring late, and frees what all have read. */
static void release_as_readers(void)
{
	const __u64 half = RING_SIZE / 2, keep = ring.limit > half ? ring.limit - half : 0;
	__u64 slowest = ~0ull;

	for (int i = 0; i < READERS; i++) {
		struct reader *reader = &readers[i];
		const struct record *record;

		while (reader->cursor.at < keep && (record = peek_as(reader))) {
			wr_ring_consume(&reader->cursor, record->head.size);
			reader->missed++;
		}
		if (reader->cursor.at < slowest)
			slowest = reader->cursor.at;
	}
	wr_ring_release(&ring, slowest);
}

static bool take_as(struct reader *reader)
{
	const struct record *record = peek_as(reader);

	if (!record)
		return false;
	check(&reader->seen, record, reader->cursor.seen_time, &reader->cursor.seen);
	wr_ring_consume(&reader->cursor, record->head.size);
	return true;
}

static void *read_beside(void *reader_)
{
	struct reader *reader = reader_;
	bool any = true, ended = false;

	while ((any || !ended) && !reader->seen.wrong) {
		ended = stop;
		any = false;
		pthread_mutex_lock(&readers_lock);
		for (unsigned int i = 0; i < reader->pace && take_as(reader); i++)
			any = true;
		release_as_readers();
		pthread_mutex_unlock(&readers_lock);
		for (unsigned int i = 0; i < READERS * 64 / reader->pace && !ended; i++)
			sched_yield();
	}
	return NULL;
}

/*
 * Eight readers of different speed. Each gets every record once, in order and with the right time
 * and task, but for those that it was moved over, which are counted for it alone.
 */
static void test_several_readers(void **state)
{
	uint64_t missed = 0, written;
	pthread_t threads[READERS];

	for (int i = 0; i < READERS; i++) {
		readers[i] = (struct reader){ .pace = 1u << i };
		assert_int_equal(pthread_create(&threads[i], NULL, read_beside, &readers[i]), 0);
	}
	for (int i = 0; i < MANY_WRITTEN; i++) {
		if (i % 3 == 0)
			owner.ids++;
		write_one(0);
		if (i % 64 == 0)
			sched_yield();
	}
	stop = 1;
	for (int i = 0; i < READERS; i++)
		pthread_join(threads[i], NULL);
	written = wr_ring_written(&ring);
	assert_int_equal(written + ring.lost, taken[0]);
	for (int i = 0; i < READERS; i++) {
		if (readers[i].seen.wrong)
			fail_msg("reader %d: %s", i, readers[i].seen.wrong);
		assert_int_equal(readers[i].seen.records + readers[i].missed, written);
		assert_int_equal(readers[i].seen.lost + ring.lost_since, ring.lost);
		missed += readers[i].missed;
	}
	print_message("%llu written, %llu lost, %llu missed by the slowest, %llu by the fastest\n",
		      (unsigned long long)written, (unsigned long long)ring.lost,
		      (unsigned long long)readers[0].missed,
		      (unsigned long long)readers[READERS - 1].missed);
	assert_true(missed > 0);
	assert_true(readers[READERS - 1].seen.records > readers[0].seen.records);
}

/* A reader that comes later begins with the task and the time of those before it. */
static void test_late_reader(void **state)
{
	struct wr_cursor late;

	owner.ids = 77;
	write_at(100, SMALL);
	write_at(101, SMALL);
	assert_non_null(wr_ring_peek(&ring, &ring.first));
	consume(SMALL);
	late = ring.first;
	write_at(102, SMALL);
	for (int i = 0; i < 2; i++) {
		assert_non_null(wr_ring_peek(&ring, &late));
		assert_int_equal(late.seen.tid, 77);
		assert_int_equal(late.seen_time, 101 + i);
		wr_ring_consume(&late, SMALL);
	}
	assert_null(wr_ring_peek(&ring, &late));
	/* Neither takes the other's: the first has both still. */
	assert_int_equal(wr_ring_unread(&ring, &ring.first), 2);
	assert_int_equal(wr_ring_unread(&ring, &late), 0);
	assert_non_null(wr_ring_peek(&ring, &ring.first));
	assert_int_equal(ring.first.seen_time, 101);
}

/* A span that is consumed is no limit for another reader that has read further. */
static void test_span_beside_reader(void **state)
{
	struct wr_cursor other = ring.first;

	write_at(100, SMALL);
	assert_int_equal(wr_ring_take_span(&ring).records, 1);
	write_at(101, SMALL);
	for (int i = 0; i < 2; i++) {
		assert_non_null(wr_ring_peek(&ring, &other));
		wr_ring_consume(&other, SMALL);
	}
	consume_span();
	assert_null(wr_ring_peek(&ring, &other));
	assert_int_equal(wr_ring_take_span(&ring).records, 1);
}

enum { MOMENTS = 100, ATTEMPTS = 1000, LARGE = RING_SIZE / 2 };

/* Of the first so many records that were to be written: how many have found room. */
static uint32_t written_of[ATTEMPTS + 1];
static uint32_t attempts;
static unsigned int chance = 1;

/* After each instruction of wr_ring_now(): writes or loses a record, or does nothing. */
static void write_or_lose(int signal)
{
	chance = chance * 1103515245 + 12345;
	if (chance >> 16 & 1 || attempts == ATTEMPTS)
		return;
	written_of[attempts + 1] =
		written_of[attempts] + !!write_at(100, chance >> 17 & 1 ? SMALL : LARGE);
	attempts++;
}

/*
 * How far the writer has come, if it writes and loses records meanwhile: there was a moment at
 * which so many were written and so many lost. Those that are said to be unsure were lost
 * meanwhile.
 */
static void test_moments(void **state)
{
	struct sigaction action = { .sa_handler = write_or_lose }, before;
	unsigned int both = 0; /* how often records were both written and lost meanwhile */

	assert_int_equal(sigaction(SIGTRAP, &action, &before), 0);
	for (int i = 0; i < MOMENTS; i++) {
		struct wr_moment now;
		__u64 lost, from;

		munmap(ring.base, 2 * RING_SIZE);
		set_up(NULL);
		attempts = 0;
		assert_non_null(write_at(100, LARGE));
		written_of[0] = 1;
		from = ring.lost;
		trap_flag_set();
		now = wr_ring_now(&ring);
		trap_flag_clear();
		assert_true(attempts < ATTEMPTS);
		both += ring.lost > from && written_of[attempts] > 1;
		for (lost = now.lost; lost < now.lost + now.unsure; lost++)
			if (written_of[now.records - 1 + lost] == now.records)
				break;
		assert_int_equal(written_of[now.records - 1 + lost], now.records);
		assert_true(now.lost >= from && now.lost + now.unsure <= ring.lost);
	}
	assert_true(both > MOMENTS / 2);
	assert_int_equal(sigaction(SIGTRAP, &before, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_late_reader, set_up),
		cmocka_unit_test_setup(test_span_beside_reader, set_up),
		cmocka_unit_test_setup(test_several_readers, set_up),
		cmocka_unit_test_setup(test_moments, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
