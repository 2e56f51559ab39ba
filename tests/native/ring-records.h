/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ring that tests of runtime/record-ring.h write to, the records that they write, and the check
 * of a record that was read. Every record has its own number and is filled with it, so a test
 * notices a torn, lost or doubled one; and it has its time and its task in full.
 */
#ifndef RING_RECORDS_H
#define RING_RECORDS_H

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ring-memory.h"
#include "runtime/record-ring.h"

enum {
	RING_SIZE = 1 << 14,
	LEVELS = 3,
	RECORD_MAX = 40
};

struct record {
	struct weft_raw_wide head; /* .head: of the level; .joinpoint: the task's tid */
	uint32_t number;
	uint64_t time;
	uint64_t filling[];
} __attribute__((packed, aligned(4)));

static struct wr_ring ring;
static uint32_t taken[LEVELS];	     /* the number of the next record of each level */
static volatile sig_atomic_t nested; /* handlers that ran while a record was being written */
static volatile sig_atomic_t busy;
static volatile int stop;
static volatile unsigned int turn_of_writer; /* counts each write, and each look for room */
static struct wr_owner owner = { .ids = 1 };

static struct wr_owner owner_now(bool for_users)
{
	return owner;
}

static bool is_of(const struct wr_owner *noted, const __u8 *for_users)
{
	return noted->ids == owner.ids && noted->uid == owner.uid &&
	       noted->comm[0] == owner.comm[0] && noted->comm[1] == owner.comm[1];
}

static const struct wr_owning owning = { .get = owner_now, .is_of = is_of };

/* Consumes @size bytes as the ring's only reader, so that the writer may use them again. */
static void consume(uint32_t size)
{
	wr_ring_consume(&ring.first, size);
	wr_ring_release(&ring, ring.first.at);
}

static void consume_span(void)
{
	wr_ring_consume_span(&ring);
	wr_ring_release(&ring, ring.first.at);
}

/* Returns a time that increases with each call, sometimes by more than a record has room for. */
static __u64 clock_now(void)
{
	static __u64 looks;
	__u64 now = __atomic_add_fetch(&looks, 1, __ATOMIC_RELAXED);

	return now + (now / 1000 << 33);
}

static int set_up(void **state)
{
	ring = WR_RING_INIT(map_twice(RING_SIZE), RING_SIZE);
	for (int i = 0; i < LEVELS; i++)
		taken[i] = 0;
	nested = busy = stop = turn_of_writer = 0;
	return !ring.base;
}

static struct record *reserve(unsigned int level, uint32_t size)
{
	__u64 time = clock_now();
	struct record *record = wr_ring_reserve(&ring, size, owning, &time);

	if (!record)
		return NULL;
	record->head.head = WEFT_HEAD(WEFT_EVENT(level, WEFT_FORM_WIDE), WEFT_HEAD_PLAIN);
	record->head.time = (uint32_t)time;
	record->head.size = size;
	record->head.joinpoint = (uint32_t)owner.ids;
	record->time = time;
	return record;
}

static void write_one(unsigned int level)
{
	uint32_t number = taken[level]++;
	unsigned int n = (number * 7 + level) % RECORD_MAX;
	struct record *record = reserve(level, sizeof(*record) + n * sizeof(uint64_t));

	if (!record)
		return;
	record->number = number;
	for (unsigned int i = 0; i < n; i++)
		record->filling[i] = (uint64_t)number * LEVELS + level;
	wr_ring_commit(&ring);
}

struct seen {
	uint64_t records, lost, last[LEVELS], time;
	uint64_t ended; /* the end of the last span */
	const char *wrong;
};

/*
 * Checks a record. @time and @state are the time and the task that the reader has derived from the
 * records before it.
 */
static void check(struct seen *seen, const struct record *record, uint64_t time,
		  const struct weft_raw_state *state)
{
	unsigned int n = (record->head.size - sizeof(*record)) / sizeof(uint64_t);
	unsigned int level = WEFT_EVENT_STATEMENT(WEFT_HEAD_EVENT(record->head.head));

	if (level >= LEVELS || n != (record->number * 7 + level) % RECORD_MAX)
		seen->wrong = "a record of wrong size";
	else if (seen->records && record->number < seen->last[level])
		seen->wrong = "a record twice, or out of order";
	else if (record->time < seen->time)
		seen->wrong = "a record from before the one before it";
	else if (record->time < seen->ended)
		seen->wrong = "a record from before the end of a span before it";
	else if (record->time != time)
		seen->wrong = "a record that is read with another time";
	else if (record->head.joinpoint != state->tid)
		seen->wrong = "a record that is read with another task";
	for (unsigned int i = 0; !seen->wrong && i < n; i++)
		if (record->filling[i] != (uint64_t)record->number * LEVELS + level)
			seen->wrong = "a torn record";
	if (!seen->wrong)
		seen->last[level] = record->number + 1;
	seen->time = record->time;
	seen->records++;
}

enum {
	TIGHT = sizeof(struct weft_raw_tight),
	SMALL = sizeof(struct weft_raw_record),
	STATE = sizeof(struct weft_raw_state),
};

/*
 * Reserves and fills a record of @size bytes while the clock is at @time. Returns NULL if the
 * record is lost.
 */
static struct weft_raw_record *fill_at(__u64 time, uint32_t size)
{
	struct weft_raw_record *record = wr_ring_reserve(&ring, size, owning, &time);

	if (!record)
		return NULL;
	record->head = WEFT_HEAD(WEFT_EVENT(0, WEFT_FORM_NARROW), WEFT_HEAD_PLAIN);
	record->time = (uint32_t)time;
	return record;
}

/*
 * Writes a record of @size bytes while the clock is at @time. Returns NULL if the record is lost.
 */
static struct weft_raw_record *write_at(__u64 time, uint32_t size)
{
	struct weft_raw_record *record = fill_at(time, size);

	if (record)
		wr_ring_commit(&ring);
	return record;
}

#endif /* RING_RECORDS_H */
