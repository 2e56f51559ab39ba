// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the buffer of records on a real processor. One thread writes all the time. Signals
 * interrupt it, and their handlers write as well; another signal interrupts these handlers in turn,
 * as an NMI interrupts an interrupt. A second thread reads. Every record has its own number and is
 * filled with it, so the test notices a torn, lost or doubled record. Readers get a record's time
 * and task from other records before it. To check both, each record of this test also contains its
 * time and task in full.
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

#include "ring-records.h"

enum { WRITTEN_MAX = 1 << 22, PATIENCE = 1 << 20, STALLED = 1 << 16 };

static bool is_half_full(void)
{
	return !wr_ring_has_room(&ring, __atomic_load_n(&ring.head, __ATOMIC_RELAXED),
				 RING_SIZE / 2);
}

static void on_signal(int signal)
{
	nested += busy;
	write_one(signal == SIGALRM ? 1 : 2);
}

/* Reads one record and checks it. Returns false if there is no record. */
static bool take_one(struct seen *seen)
{
	const struct record *record = wr_ring_peek(&ring, &ring.first);

	if (!record)
		return false;
	check(seen, record, ring.first.seen_time, &ring.first.seen);
	seen->lost += ring.first.seen.lost;
	consume(record->head.size);
	return true;
}

/* Checks all records of a span, which begins with the task and the time of the ring's tail. */
static void check_span(struct seen *seen, const struct wr_ring_span *span)
{
	struct weft_raw_state state = ring.first.seen;
	uint64_t time = ring.first.seen_time;
	const uint64_t before = seen->records;

	seen->lost += state.lost;
	for (uint64_t at = 0; !seen->wrong && at < span->size;) {
		const struct record *record = (const void *)((const char *)span->begin + at);

		if (record->head.head == WEFT_EVENT_EXTENDED) {
			memcpy(&state, record, sizeof(state));
			time = state.time;
			seen->lost += state.lost;
			at += sizeof(state);
			continue;
		}
		time = wr_full_time(time, record->head.time);
		if (seen->records == before && time != span->first)
			seen->wrong = "a span that begins at another time";
		check(seen, record, time, &state);
		at += record->head.size;
	}
	if (!seen->wrong && seen->records - before != span->records)
		seen->wrong = "a span of another number of records";
	if (!seen->wrong && seen->time > span->last)
		seen->wrong = "a span that ends before its last record";
	seen->ended = span->last;
}

/*
 * Reads all records that there are, as spans, in the way of a recorder. Returns false if there are
 * none.
 */
static bool take_span(struct seen *seen)
{
	struct wr_ring_span span = wr_ring_take_span(&ring);

	/* A span may be taken again before it is consumed. It may be longer then. */
	for (unsigned int again = seen->records % 8; again; again--)
		span = wr_ring_take_span(&ring);
	check_span(seen, &span);
	consume_span();
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
	 * Reads slowly at times, so that the buffer fills up. If no record comes for a long time,
	 * this is an error only if the writer has written one meanwhile.
	 */
	while (!seen->wrong && (!stop || wr_ring_unread(&ring, &ring.first))) {
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
		if (i % 5 == 0)
			owner.ids++;
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
	assert_int_equal(wr_ring_written(&ring), seen.records);
	assert_int_equal(seen.records + ring.lost, written);
	assert_int_equal(seen.lost + ring.lost_since, ring.lost);
	assert_int_equal(wr_ring_unread(&ring, &ring.first), 0);
	assert_true(taken[1] > 50);
	assert_true(seen.records > 10000);
}

/* Begins a record with the time @time, and does not commit it. */
static void begin_at(__u64 time)
{
	assert_non_null(fill_at(time, SMALL));
}

/*
 * A record that is not committed holds back the records after it. A record for which there is no
 * room is lost, and the next state record says how many records were lost before it.
 */
static void test_order_and_losses(void **state)
{
	const uint32_t most = RING_SIZE - 2 * STATE - RING_SIZE / 2;
	struct record *first = reserve(0, RING_SIZE / 2);
	struct record *inner = reserve(1, most);

	assert_non_null(first);
	assert_ptr_equal((uint8_t *)inner - (uint8_t *)first, RING_SIZE / 2 + STATE);
	assert_null(write_at(1, SMALL));
	assert_int_equal(ring.lost, 1);
	wr_ring_commit(&ring);
	assert_null(wr_ring_peek(&ring, &ring.first));
	assert_int_equal(wr_ring_take_span(&ring).size, 0);
	wr_ring_commit(&ring);
	assert_ptr_equal(wr_ring_peek(&ring, &ring.first), first);
	assert_int_equal(wr_ring_unread(&ring, &ring.first), 2);
	consume(RING_SIZE / 2);
	assert_ptr_equal(wr_ring_peek(&ring, &ring.first), inner);
	consume(most);
	assert_null(wr_ring_peek(&ring, &ring.first));
	/* A record may lie across the buffer's end; its addresses are contiguous. */
	assert_non_null(write_at(2, RING_SIZE - 64));
	assert_non_null(wr_ring_peek(&ring, &ring.first));
	assert_int_equal(ring.first.seen.lost, 1);
	assert_int_equal(wr_ring_unread(&ring, &ring.first), 1);
}

/*
 * A state record must be written only where the task or the user has changed, or where a record's
 * own part of the time is not enough.
 */
static void test_short_records(void **state)
{
	struct wr_ring_span span;

	for (int i = 0; i < 10; i++)
		write_at(100 + i, SMALL);
	span = wr_ring_take_span(&ring);
	assert_int_equal(span.size, STATE + 10 * SMALL);
	assert_int_equal(span.records, 10);
	assert_int_equal(span.first, 100);
	assert_int_equal(span.last, 109);
	consume_span();
	write_at(110, SMALL);
	assert_int_equal(wr_ring_take_span(&ring).size, SMALL);
	assert_int_equal(ring.first.seen.tid, (uint32_t)owner.ids);
	owner.comm[1]++;
	write_at(111, SMALL);
	owner.uid++;
	write_at(112, SMALL);
	write_at(112 + (1ull << 31), SMALL);
	assert_int_equal(wr_ring_take_span(&ring).size, 3 * STATE + 4 * SMALL);
	assert_int_equal(wr_ring_take_span(&ring).last, 112 + (1ull << 31));
}

/* Writes a tight record without values while the clock is at @time. */
static enum wr_reserved write_tight_at(__u64 time)
{
	const __u64 step = wr_ring_step(TIGHT);
	struct weft_raw_tight *record;
	const enum wr_reserved ret = wr_ring_reserve_short(&ring, &step, WR_RING_TIGHT_BITS, owning,
							   time, (void **)&record);

	if (ret != WR_RESERVED)
		return ret;
	record->head = WEFT_HEAD(WEFT_EVENT(0, WEFT_FORM_TIGHT), WEFT_HEAD_TIGHT);
	record->time = (uint16_t)time;
	wr_ring_commit(&ring);
	return ret;
}

static void expect_next(uint64_t time, uint32_t size)
{
	assert_non_null(wr_ring_peek(&ring, &ring.first));
	assert_int_equal(ring.first.seen_time, time);
	consume(size);
}

/*
 * A tight record has 16 bits of the time. It must be read with all of the time, and must not be
 * written where 16 bits are not enough.
 */
static void test_tight_records(void **state)
{
	const uint64_t begin = 0x7fffffff0;
	struct wr_ring_span span;

	assert_int_equal(write_tight_at(begin), WR_RESERVE_BOTH);
	write_at(begin, SMALL);
	assert_int_equal(write_tight_at(begin), WR_RESERVED);
	assert_int_equal(write_tight_at(begin + 0x20), WR_RESERVED);
	assert_int_equal(write_tight_at(begin + 0x1001f), WR_RESERVED);
	assert_int_equal(write_tight_at(begin + 0x2001f), WR_RESERVE_GAP);
	assert_int_equal(write_tight_at(begin + 0x1001e), WR_RESERVE_GAP);
	write_at(begin + 0x2001f, SMALL);
	assert_int_equal(write_tight_at(begin + 0x20020), WR_RESERVED);
	expect_next(begin, SMALL);
	expect_next(begin, TIGHT);
	span = wr_ring_take_span(&ring);
	assert_int_equal(span.first, begin + 0x20);
	assert_int_equal(span.last, begin + 0x20020);
	assert_int_equal(span.records, 4);
	assert_int_equal(span.size, 3 * TIGHT + SMALL);
	wr_ring_forget_span(&ring);
	expect_next(begin + 0x20, TIGHT);
	expect_next(begin + 0x1001f, TIGHT);
	expect_next(begin + 0x2001f, SMALL);
	expect_next(begin + 0x20020, TIGHT);
	owner.uid++;
	assert_int_equal(write_tight_at(begin + 0x20021), WR_RESERVE_BOTH);
}

/*
 * While a record is being written there is no span. The reader then gets an empty span, which has
 * times and a number of lost records. These must not contradict the records that the reader has
 * read one by one before, and must not count records that were lost later.
 */
static void test_no_span_while_writing(void **state)
{
	struct wr_ring_span span;

	write_at(100, SMALL);
	span = wr_ring_take_span(&ring);
	consume_span();
	write_at(200, SMALL);
	assert_non_null(wr_ring_peek(&ring, &ring.first));
	consume(SMALL);
	begin_at(300);
	assert_null(write_at(301, RING_SIZE));
	span = wr_ring_take_span(&ring);
	assert_int_equal(span.size, 0);
	assert_int_equal(span.records, 0);
	assert_int_equal(span.first, 200);
	assert_int_equal(span.last, 200);
	assert_int_equal(span.lost, 0);
	wr_ring_commit(&ring);
	span = wr_ring_take_span(&ring);
	assert_int_equal(span.records, 1);
	assert_int_equal(span.lost, 1);
}

/* Even if the clock goes backwards, the times of records do not. */
static void test_time_goes_backwards(void **state)
{
	uint64_t times[] = { 1ull << 60, 5, 7, (1ull << 60) + 1 };

	for (int i = 0; i < 4; i++)
		write_at(times[i], SMALL);
	for (int i = 0; i < 4; i++) {
		const struct weft_raw_record *record = wr_ring_peek(&ring, &ring.first);

		assert_non_null(record);
		assert_int_equal(ring.first.seen_time, (1ull << 60) + (i == 3));
		consume(SMALL);
	}
}

/*
 * If a nested writer's record has a later time than the clock shows afterwards, the records after
 * it get that time.
 */
static void test_time_goes_backwards_after_nested(void **state)
{
	begin_at(5);
	write_at(1ull << 60, SMALL);
	wr_ring_commit(&ring);
	write_at(7, SMALL);
	for (int i = 0; i < 3; i++) {
		assert_non_null(wr_ring_peek(&ring, &ring.first));
		assert_int_equal(ring.first.seen_time, i ? 1ull << 60 : 5);
		consume(SMALL);
	}
}

/*
 * An interrupted writer may set room_end back to a position before the end of a nested writer's
 * records. A full ring must be taken for full even then.
 */
static void test_stale_room(void **state)
{
	while (write_at(5, SMALL))
		;
	ring.room_end -= 2 * SMALL;
	ring.writers = 0; /* makes the ring believe that the next record needs no state record */
	assert_null(wr_ring_reserve(&ring, SMALL, owning, &(__u64){ 6 }));
	assert_int_equal(ring.lost, 2);
}

/*
 * The record after a loss has a state record with the number of lost records, even if its task and
 * time need none.
 */
static void test_losses_are_told(void **state)
{
	while (write_at(5, SMALL))
		;
	assert_null(write_at(5, SMALL));
	assert_int_equal(ring.lost, 2);
	while (wr_ring_peek(&ring, &ring.first))
		consume(SMALL);
	assert_non_null(write_at(5, SMALL));
	assert_non_null(wr_ring_peek(&ring, &ring.first));
	assert_int_equal(ring.first.seen.lost, 2);
	consume(SMALL);
	write_at(5, SMALL);
	assert_non_null(wr_ring_peek(&ring, &ring.first));
	assert_int_equal(ring.first.seen.lost, 0);
}

/*
 * Tests a ring through which more than 2^32 bytes have gone, and as many records as its counter can
 * count.
 */
static void test_counters_wrap(void **state)
{
	const uint64_t bytes = (1ull << 32) - STATE - 5 * SMALL;
	const uint64_t records = (1ull << 32) - 2;

	ring.tail = ring.limit = ring.first.at = bytes;
	ring.room_end = (uint32_t)(bytes + RING_SIZE);
	ring.first.read = records;
	ring.head = (records << 32) + bytes;
	for (int i = 0; i < 10; i++)
		write_at(i, SMALL);
	assert_int_equal(wr_ring_unread(&ring, &ring.first), 10);
	assert_int_equal(wr_ring_written(&ring), records + 10);
	assert_int_equal(wr_ring_take_span(&ring).records, 10);
	consume_span();
	assert_int_equal(wr_ring_unread(&ring, &ring.first), 0);
	write_at(10, SMALL);
	assert_non_null(wr_ring_peek(&ring, &ring.first));
	assert_int_equal(wr_ring_unread(&ring, &ring.first), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_order_and_losses, set_up),
		cmocka_unit_test_setup(test_time_goes_backwards, set_up),
		cmocka_unit_test_setup(test_time_goes_backwards_after_nested, set_up),
		cmocka_unit_test_setup(test_losses_are_told, set_up),
		cmocka_unit_test_setup(test_stale_room, set_up),
		cmocka_unit_test_setup(test_short_records, set_up),
		cmocka_unit_test_setup(test_tight_records, set_up),
		cmocka_unit_test_setup(test_no_span_while_writing, set_up),
		cmocka_unit_test_setup(test_counters_wrap, set_up),
		cmocka_unit_test_setup(test_writers_interrupt_each_other, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
