// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Measures records through the buffer that weft.ko has for each CPU, on this machine's own
 * processors: one thread writes what weft_log() with three values writes, another takes and copies
 * records, as the device's reader does. Prints lines "NAME FIGURE":
 *	write, read	nanoseconds per record while the other thread does nothing
 *	through		records per second, if the writer waits while the buffer is full
 *	offered		records per second that a writer offers which does not wait
 *	kept		the share of these that the reader got, in percent
 *	recorded	records per second into a file, through a buffer of 4 MiB, if the writer
 *			waits while it is full: a thread takes all there are and writes them as they
 *			are, as `weft record` does
 *	unaccounted	records that were offered and neither read nor counted as lost, and records
 *			with wrong content; in all runs
 */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "runtime/record-ring.h"

enum {
	RING_SIZE = 1 << 18,
	RECORDED_SIZE = 4 << 20,
	FILE_SIZE = 32 << 20,
	ROUNDS = 200,
	RUNS = 30,
	RECORDS = 200000,
	VALUES = 3,
	PATIENCE = 64
};

/* A record as long as weft.ko's, of three values of eight bytes. */
struct record {
	struct weft_raw_record head; /* head.time has the record's number instead of a time. */
	uint64_t values[VALUES];
} __attribute__((packed, aligned(4)));

static struct wr_owner owner_now(bool for_users)
{
	return (struct wr_owner){ .ids = 1 };
}

static bool is_of(const struct wr_owner *noted, const __u8 *for_users)
{
	return noted->ids == 1;
}

static const struct wr_owning owning = { .get = owner_now, .is_of = is_of };

static struct wr_ring ring;
static volatile bool ended;

static struct seen {
	uint64_t records, lost, wrong, next;
} seen;

static double least(double a, double b)
{
	return a < b ? a : b;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static bool make_ring(size_t size)
{
	int fd = memfd_create("ring", 0);
	uint8_t *base = mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (fd < 0 || base == MAP_FAILED || ftruncate(fd, (off_t)size) ||
	    mmap(base, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED ||
	    mmap(base + size, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) ==
		    MAP_FAILED)
		return false;
	ring = WR_RING_INIT(base, (uint32_t)size);
	return true;
}

/*
 * How many records the runs before this one have written. The records of a run get the next
 * numbers, since the numbers stand for times, which must increase.
 */
static uint64_t begun;

static bool write_one(uint64_t number)
{
	struct record *record;
	__u64 time = number;

	record = wr_ring_reserve(&ring, sizeof(*record), owning, &time);
	if (!record)
		return false;
	record->head.head = WEFT_HEAD(WEFT_EVENT(0, WEFT_FORM_NARROW), WEFT_HEAD_PLAIN);
	record->head.time = (uint32_t)time;
	record->head.joinpoint = 0;
	for (int i = 0; i < VALUES; i++)
		record->values[i] = number + i;
	wr_ring_commit(&ring);
	return true;
}

/*
 * Reads a record. It must be whole, and as many records must be missing before it as it says were
 * lost.
 */
static bool read_one(void)
{
	const void *at = wr_ring_peek(&ring, &ring.first);
	const uint64_t number = ring.first.seen_time, lost = ring.first.seen.lost;
	struct record record;

	if (!at)
		return false;
	memcpy(&record, at, sizeof(record));
	wr_ring_consume(&ring.first, sizeof(record));
	wr_ring_release(&ring, ring.first.at);
	seen.records++;
	seen.lost += lost;
	seen.wrong += number - seen.next != lost ||
		      record.values[VALUES - 1] != number + VALUES - 1;
	seen.next = number + 1;
	return true;
}

static void *read_all(void *context)
{
	while (!ended || wr_ring_unread(&ring, &ring.first))
		if (!read_one())
			asm volatile("pause");
	return NULL;
}

/* Writes all records to a file, as they are, and checks nothing but their number. */
static void *record_all(void *context)
{
	int fd = memfd_create("recorded", 0);
	off_t at = 0;

	while (!ended || wr_ring_unread(&ring, &ring.first)) {
		struct wr_ring_span span = wr_ring_take_span(&ring);

		if (span.size && pwrite(fd, span.begin, span.size, at) != (ssize_t)span.size)
			exit(1);
		/*
		 * The file is overwritten from its beginning, since its memory is not what is
		 * measured.
		 */
		at = at > FILE_SIZE ? 0 : at + (off_t)span.size;
		seen.records += span.records;
		wr_ring_consume_span(&ring);
		wr_ring_release(&ring, ring.first.at);
	}
	close(fd);
	return NULL;
}

/*
 * Writes records until the buffer is full, reads them all, and so on. Returns the nanoseconds per
 * record of the fastest writing and of the fastest reading, since other work on the machine only
 * adds time.
 */
static void take_turns(double *write_ret, double *read_ret)
{
	*write_ret = *read_ret = 1e18;
	for (int round = 0; round < ROUNDS; round++) {
		double start = now(), middle, end;
		uint64_t n = 0;

		while (n < RING_SIZE / sizeof(struct record) && write_one(seen.next + n))
			n++;
		middle = now();
		while (read_one())
			;
		end = now();
		*write_ret = least(*write_ret, (middle - start) / (double)n);
		*read_ret = least(*read_ret, (end - middle) / (double)n);
	}
}

static bool is_full(void)
{
	return !wr_ring_has_room(&ring, ring.head,
				 sizeof(struct weft_raw_state) + sizeof(struct record));
}

/*
 * Returns how many records per second were offered. Adds those that are not accounted for to
 * *@unaccounted. `seen` has the figures of this run only.
 */
static double run(bool waits, void *(*read)(void *), uint64_t *unaccounted)
{
	const uint64_t lost_before = ring.lost;
	pthread_t reader;
	double start, spent;

	seen = (struct seen){ .next = begun };
	ended = false;
	if (pthread_create(&reader, NULL, read, NULL))
		exit(1);
	start = now();
	for (uint64_t i = 0; i < RECORDS; i++) {
		for (unsigned int turn = 0; waits && is_full(); turn++)
			if (turn % PATIENCE == PATIENCE - 1)
				sched_yield();
		write_one(begun + i);
	}
	spent = now() - start;
	ended = true;
	pthread_join(reader, NULL);
	if (waits)
		spent = now() - start; /* The time ends when all records are read. */
	*unaccounted += RECORDS - seen.records - (ring.lost - lost_before);
	if (read == read_all)
		*unaccounted += seen.wrong +
				(ring.lost - lost_before - ring.lost_since - seen.lost);
	ring.lost_since = 0;
	begun += RECORDS;
	return RECORDS * 1e9 / spent;
}

int main(void)
{
	double write, read, through = 0, offered = 0, kept = 0, recorded = 0;
	uint64_t unaccounted = 0;

	if (!make_ring(RING_SIZE))
		return 1;
	take_turns(&write, &read);
	begun = seen.next;
	for (int i = 0; i < RUNS; i++) {
		double rate = run(true, read_all, &unaccounted);

		through = rate > through ? rate : through;
		rate = run(false, read_all, &unaccounted);
		offered = rate > offered ? rate : offered;
		kept = seen.records > kept ? seen.records : kept;
	}
	if (!make_ring(RECORDED_SIZE))
		return 1;
	for (int i = 0; i < RUNS; i++) {
		double rate = run(true, record_all, &unaccounted);

		recorded = rate > recorded ? rate : recorded;
	}
	printf("recorded %.0f\n", recorded);
	printf("write %.1f\nread %.1f\nthrough %.0f\noffered %.0f\nkept %.1f\nunaccounted %llu\n",
	       write, read, through, offered, kept * 100 / RECORDS,
	       (unsigned long long)unaccounted);
	return 0;
}
