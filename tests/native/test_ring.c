// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the buffer of records on a real processor. One thread writes all the time and is
 * interrupted by signals whose handlers write as well; another signal interrupts these handlers in
 * turn, as an NMI interrupts an interrupt. Another thread reads. Every record has its own number
 * and is filled with it, so a torn, lost or doubled record is noticed.
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
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/record-ring.h"

enum {
	RING_SIZE = 1 << 14,
	WRITTEN_MAX = 1 << 22,
	PATIENCE = 1 << 20,
	STALLED = 1 << 16,
	LEVELS = 3,
	RECORD_MAX = 40
};

struct record {
	struct wr_slot slot; /* .kind is its level: the thread 0, SIGALRM 1, SIGPROF 2. */
	uint64_t number; /* Counts the records of the level, from 0. */
	uint64_t filling[]; /* Each word is .number * LEVELS + the level. */
};

static struct wr_ring ring;
static uint64_t taken[LEVELS];	     /* The next number of each level. */
static volatile sig_atomic_t nested; /* How many handlers ran while a record was being written. */
static volatile sig_atomic_t busy;
static volatile int stop;
/* Counts each write, and each time that the writer looks for room. */
static volatile unsigned int turn_of_writer;

static void *map_twice(size_t size)
{
	int fd = memfd_create("ring", 0);
	uint8_t *base = mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (fd < 0 || ftruncate(fd, size) || base == MAP_FAILED ||
	    mmap(base, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED ||
	    mmap(base + size, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) ==
		    MAP_FAILED)
		return NULL;
	close(fd);
	return base;
}

/* A clock that advances each time it is read. */
static __u64 clock_now(void)
{
	static __u64 looks;

	return __atomic_add_fetch(&looks, 1, __ATOMIC_RELAXED);
}

static int set_up(void **state)
{
	ring = (struct wr_ring){ .size = RING_SIZE, .base = map_twice(RING_SIZE) };
	for (int i = 0; i < LEVELS; i++)
		taken[i] = 0;
	nested = busy = stop = turn_of_writer = 0;
	return !ring.base;
}

static void write_one(unsigned int level)
{
	uint64_t number = taken[level]++;
	unsigned int n = (number * 7 + level) % RECORD_MAX;
	uint32_t size = sizeof(struct record) + n * sizeof(uint64_t);
	struct record *record = wr_ring_reserve(&ring, size, clock_now);

	if (!record)
		return;
	record->slot.kind = level;
	record->slot.lost = wr_ring_take_lost(&ring);
	record->number = number;
	for (unsigned int i = 0; i < n; i++)
		record->filling[i] = number * LEVELS + level;
	wr_ring_commit(&ring, &record->slot, size);
}

static bool is_half_full(void)
{
	return __atomic_load_n(&ring.head, __ATOMIC_RELAXED) -
		       __atomic_load_n(&ring.tail, __ATOMIC_RELAXED) > RING_SIZE / 2;
}

static void on_signal(int signal)
{
	nested += busy;
	write_one(signal == SIGALRM ? 1 : 2);
}

struct seen {
	uint64_t records, lost, last[LEVELS], time;
	const char *wrong;
};

static void check(struct seen *seen, const struct record *record)
{
	unsigned int n = (record->slot.size - sizeof(*record)) / sizeof(uint64_t);
	unsigned int level = record->slot.kind;

	if (level >= LEVELS || n != (record->number * 7 + level) % RECORD_MAX)
		seen->wrong = "a record of wrong size";
	else if (seen->records && record->number < seen->last[level])
		seen->wrong = "a record twice, or out of order";
	else if (record->slot.time <= seen->time)
		seen->wrong = "a record from before the one before it";
	for (unsigned int i = 0; !seen->wrong && i < n; i++)
		if (record->filling[i] != record->number * LEVELS + level)
			seen->wrong = "a torn record";
	if (!seen->wrong)
		seen->last[level] = record->number + 1;
	seen->time = record->slot.time;
	seen->records++;
	seen->lost += record->slot.lost;
}

/* Reads one record and checks it. Returns false if there is no record. */
static bool take_one(struct seen *seen)
{
	const struct record *record = (const struct record *)wr_ring_peek(&ring);

	if (!record)
		return false;
	check(seen, record);
	wr_ring_consume(&ring);
	return true;
}

/* Reads and checks all records that there are at once, as a recorder does. */
static bool take_span(struct seen *seen)
{
	struct wr_ring_span span = wr_ring_take_span(&ring);
	const uint64_t before = seen->records;
	const struct wr_slot *last;

	/* A span may be taken again before it is consumed, and may be longer then. */
	if (before % 3 == 0)
		span = wr_ring_take_span(&ring);
	if (span.size && ((const struct wr_slot *)span.begin)->time != span.first)
		seen->wrong = "a span that begins at another time";
	for (unsigned long at = 0; !seen->wrong && at < span.size;) {
		const struct record *record = (const void *)((const char *)span.begin + at);

		at += record->slot.size;
		check(seen, record);
	}
	if (!seen->wrong && seen->records - before != span.slots)
		seen->wrong = "a span of another number of records";
	last = (const void *)((const char *)span.begin + span.last_begin);
	if (!seen->wrong && span.size && last->time != seen->time)
		seen->wrong = "a span with another last record";
	if (!seen->wrong && span.size && seen->time != span.last)
		seen->wrong = "a span that ends at another time";
	wr_ring_consume_span(&ring);
	return span.size;
}

/* Reads a thousand records one by one, then some as spans, in turn. */
static bool take(struct seen *seen)
{
	return seen->records / 1000 % 2 ? take_span(seen) : take_one(seen);
}

static void *read_all(void *seen_)
{
	struct seen *seen = seen_;
	unsigned int turns = 0, in_vain = 0, since = 0;

	/*
	 * Reads slowly at times, so that the buffer fills up. That no record comes is an error only
	 * if the writer has written something meanwhile.
	 */
	while (!seen->wrong && (!stop || wr_ring_unread(&ring))) {
		bool ended = stop;
		unsigned int turn = turn_of_writer;

		if (take(seen)) {
			in_vain = 0;
			since = turn_of_writer;
			if (++turns % 5000 == 0)
				sched_yield();
			continue;
		}
		if (ended ? ++in_vain == PATIENCE : turn - since > STALLED)
			seen->wrong = "stalled";
		sched_yield();
	}
	stop = 1;
	return NULL;
}

static void start_timer(int which, int signal, int microseconds)
{
	const struct itimerval every = { { 0, microseconds }, { 0, microseconds } };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	sigemptyset(&action.sa_mask);
	sigaction(signal, &action, NULL);
	assert_int_equal(setitimer(which, &every, NULL), 0);
}

static void stop_timers(void)
{
	const struct itimerval never = { 0 };

	setitimer(ITIMER_REAL, &never, NULL);
	setitimer(ITIMER_PROF, &never, NULL);
}

static void test_writers_interrupt_each_other(void **state)
{
	struct seen seen = { 0 };
	uint64_t written = 0;
	sigset_t set;
	pthread_t reader;

	/* Only this thread gets the signals, as interrupts come to one CPU. */
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigaddset(&set, SIGPROF);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	assert_int_equal(pthread_create(&reader, NULL, read_all, &seen), 0);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	start_timer(ITIMER_REAL, SIGALRM, 50);
	start_timer(ITIMER_PROF, SIGPROF, 70);
	for (int i = 0; i < WRITTEN_MAX && !stop; i++) {
		turn_of_writer++;
		/*
		 * For half of the records the writer waits for room, for the other half the buffer
		 * may be full.
		 */
		for (int turn = 0; i & 4096 && turn < PATIENCE && is_half_full() && !stop;
		     turn++, turn_of_writer++)
			sched_yield();
		busy = 1;
		write_one(0);
		busy = 0;
	}
	stop_timers();
	stop = 1;
	pthread_join(reader, NULL);
	if (seen.wrong)
		fail_msg("%s, after %llu", seen.wrong, (unsigned long long)seen.records);
	for (int i = 0; i < LEVELS; i++)
		written += taken[i];
	print_message("%llu records read, %llu lost, %d written while another was\n",
		      (unsigned long long)seen.records, (unsigned long long)ring.lost, (int)nested);
	assert_int_equal(ring.written, seen.records);
	assert_int_equal(ring.written + ring.lost, written);
	assert_int_equal(seen.lost + ring.lost_since, ring.lost);
	assert_int_equal(wr_ring_unread(&ring), 0);
	assert_true(taken[1] > 50);
	assert_true(seen.records > 10000);
}

/*
 * A slot that is not committed holds up the slots after it. A record that does not fit is lost, and
 * the next record says how many were lost before it.
 */
static void test_order_and_losses(void **state)
{
	struct record *first = wr_ring_reserve(&ring, RING_SIZE / 2, clock_now);
	struct record *second = wr_ring_reserve(&ring, RING_SIZE / 2, clock_now);

	assert_non_null(first);
	assert_ptr_equal((uint8_t *)second - (uint8_t *)first, RING_SIZE / 2);
	assert_null(wr_ring_reserve(&ring, sizeof(struct wr_slot), clock_now));
	assert_int_equal(ring.lost, 1);
	wr_ring_commit(&ring, &second->slot, RING_SIZE / 2);
	assert_null(wr_ring_peek(&ring));
	wr_ring_commit(&ring, &first->slot, RING_SIZE / 2);
	assert_ptr_equal(wr_ring_peek(&ring), first);
	assert_int_equal(wr_ring_unread(&ring), 2);
	wr_ring_consume(&ring);
	/* A slot may extend across the buffer's end, since the buffer is mapped twice in a row. */
	wr_ring_consume(&ring);
	assert_non_null(wr_ring_reserve(&ring, RING_SIZE - 64, clock_now));
	assert_int_equal(wr_ring_take_lost(&ring), 1);
	assert_int_equal(wr_ring_take_lost(&ring), 0);
	first = wr_ring_reserve(&ring, 64, clock_now);
	assert_ptr_equal(first, ring.base + RING_SIZE - 64);
}

/* The clock may go backwards, but the times within a span must not. */
static void test_time_goes_backwards(void **state)
{
	struct record *records[3];
	struct wr_ring_span span;

	for (int i = 0; i < 3; i++)
		records[i] = wr_ring_reserve(&ring, sizeof(struct record), clock_now);
	records[1]->slot.time = 1ull << 60;
	for (int i = 0; i < 3; i++)
		wr_ring_commit(&ring, &records[i]->slot, sizeof(struct record));
	span = wr_ring_take_span(&ring);
	assert_int_equal(span.slots, 3);
	assert_int_equal(span.last, 1ull << 60);
	assert_int_equal(records[2]->slot.time, 1ull << 60);
	wr_ring_consume_span(&ring);
	assert_int_equal(wr_ring_unread(&ring), 0);
	/* Nor may the times go backwards from one span to the next. */
	records[0] = wr_ring_reserve(&ring, sizeof(struct record), clock_now);
	wr_ring_commit(&ring, &records[0]->slot, sizeof(struct record));
	assert_int_equal(wr_ring_take_span(&ring).first, 1ull << 60);
}

/* If more records were lost than one slot can say, the next slot must say the rest. */
static void test_many_losses(void **state)
{
	ring.lost_since = 2 * WR_SLOT_LOST_MAX + 1;
	assert_int_equal(wr_ring_take_lost(&ring), WR_SLOT_LOST_MAX);
	assert_int_equal(wr_ring_take_lost(&ring), WR_SLOT_LOST_MAX);
	assert_int_equal(wr_ring_take_lost(&ring), 1);
	assert_int_equal(wr_ring_take_lost(&ring), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_order_and_losses, set_up),
		cmocka_unit_test_setup(test_time_goes_backwards, set_up),
		cmocka_unit_test_setup(test_many_losses, set_up),
		cmocka_unit_test_setup(test_writers_interrupt_each_other, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
