// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the table of tagged objects in a process: compared with a plain array that knows every
 * object; with threads that act as CPUs and tag the same objects at the same time; and with a
 * signal handler that acts as an interrupt and runs between any two instructions of wr_tag_add().
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/tag-table.h"
#include "interference.h"
#include "trap-flag.h"

enum { BITS = 4, SLOTS = WR_TAG_WAYS << BITS };

static __u64 *new_table(void)
{
	__u64 *slots = aligned_alloc(64, SLOTS * sizeof(__u64));

	memset(slots, 0, SLOTS * sizeof(__u64));
	return slots;
}

static __u64 next_random(__u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Addresses of objects, as in a kernel: multiples of 256 in the upper half. */
static __u64 object_of(unsigned int number)
{
	return 0xffff888004000000u + (__u64)number * 0x100;
}

static bool same_bucket(__u64 *slots, __u64 object, __u64 other)
{
	return wr_tag_bucket(slots, BITS, object) == wr_tag_bucket(slots, BITS, other);
}

/* Returns how many slots have @object; 0 counts the free ones. */
static unsigned int slots_of(const __u64 *slots, __u64 object)
{
	unsigned int n = 0;

	for (int slot = 0; slot < SLOTS; slot++)
		n += slots[slot] == object;
	return n;
}

static void add_counts(struct wr_tag_counts *sum, const struct wr_tag_counts *counts)
{
	sum->tagged += counts->tagged;
	sum->again += counts->again;
	sum->full += counts->full;
	sum->untagged += counts->untagged;
}

/*
 * Tags, untags and looks up many objects at random, compared with a plain array. An object gets no
 * tag only if all slots of its bucket are in use.
 */
static void as_a_reference_has_it(void **state)
{
	enum { OBJECTS = 200 };
	__u64 *slots = new_table(), random = 88172645463325252u;
	struct wr_tag_counts counts = { 0 }, wanted = { 0 };
	bool has[OBJECTS] = { false };

	for (int i = 0; i < 400000; i++) {
		const __u64 choice = next_random(&random);
		const unsigned int number = choice % OBJECTS;
		const __u64 object = object_of(number);
		unsigned int others = 0;

		switch (choice >> 32 & 3) {
		case 0:
			wr_tag_remove(slots, BITS, object, &counts);
			wanted.untagged += has[number];
			has[number] = false;
			break;
		case 1:
			break;
		default:
			for (unsigned int other = 0; other < OBJECTS; other++)
				others += has[other] &&
					  same_bucket(slots, object_of(other), object);
			wr_tag_add(slots, BITS, object, &counts);
			if (has[number])
				wanted.again++;
			else if (others == WR_TAG_WAYS)
				wanted.full++;
			else
				wanted.tagged++;
			has[number] |= others < WR_TAG_WAYS;
		}
		assert_true(wr_tag_find(slots, BITS, object) == has[number]);
		assert_memory_equal(&counts, &wanted, sizeof(counts));
	}
	assert_true(counts.full > 100);
	for (unsigned int number = 0; number < OBJECTS; number++)
		wr_tag_remove(slots, BITS, object_of(number), &counts);
	assert_int_equal(slots_of(slots, 0), SLOTS);
	assert_int_equal(counts.tagged, counts.untagged);
	free(slots);
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 2000, SHARED = 24 };

struct worker {
	unsigned int number;
	__u64 *slots;
	pthread_barrier_t *barrier;
	struct wr_tag_counts counts;
	__u64 wrong, added;
};

/*
 * Tags an object that only this thread tags, checks that the object is found, and untags it. These
 * objects of all threads share a few buckets.
 */
static void own_life(struct worker *worker, unsigned int round)
{
	const __u64 own = object_of(1000 + round * THREADS + worker->number);
	const __u64 full = worker->counts.full;

	worker->wrong += wr_tag_find(worker->slots, BITS, own);
	wr_tag_add(worker->slots, BITS, own, &worker->counts);
	worker->added++;
	worker->wrong += wr_tag_find(worker->slots, BITS, own) != (worker->counts.full == full);
	wr_tag_remove(worker->slots, BITS, own, &worker->counts);
	worker->wrong += wr_tag_find(worker->slots, BITS, own);
}

/*
 * In each round all threads tag the same objects, while each also tags objects of its own. Then
 * each object must have one slot. One thread untags them all.
 */
static void *work(void *argument)
{
	struct worker *worker = argument;

	for (unsigned int round = 0; round < ROUNDS; round++) {
		for (unsigned int i = 0; i < SHARED; i++) {
			wr_tag_add(worker->slots, BITS, object_of(i), &worker->counts);
			worker->added++;
			if (i % 8 == worker->number)
				own_life(worker, round);
		}
		pthread_barrier_wait(worker->barrier);
		for (unsigned int i = 0; i < SHARED; i++)
			worker->wrong += slots_of(worker->slots, object_of(i)) != 1;
		pthread_barrier_wait(worker->barrier);
		for (unsigned int i = 0; i < SHARED && round % THREADS == worker->number; i++)
			wr_tag_remove(worker->slots, BITS, object_of(i), &worker->counts);
		pthread_barrier_wait(worker->barrier);
	}
	return NULL;
}

static void threads_tag_the_same_objects(void **state)
{
	struct worker workers[THREADS] = { 0 };
	struct wr_tag_counts sum = { 0 };
	__u64 *slots = new_table(), added = 0;
	pthread_barrier_t barrier;

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (unsigned int i = 0; i < THREADS; i++) {
		workers[i].number = i;
		workers[i].slots = slots;
		workers[i].barrier = &barrier;
	}
	run_threads(work, workers, sizeof(*workers), THREADS);
	for (unsigned int i = 0; i < THREADS; i++) {
		assert_int_equal(workers[i].wrong, 0);
		add_counts(&sum, &workers[i].counts);
		added += workers[i].added;
	}
	assert_int_equal(sum.tagged + sum.again + sum.full, added);
	assert_int_equal(sum.tagged, sum.untagged);
	assert_true(sum.tagged >= ROUNDS * SHARED);
	assert_int_equal(slots_of(slots, 0), SLOTS);
	pthread_barrier_destroy(&barrier);
	free(slots);
}

/* ---- adding that is interrupted after any instruction ---------------------------------------- */

static __u64 *interrupted, leaving;
static struct wr_tag_counts in_task, in_interrupt;
static volatile __u64 steps, interrupt_at, second_at;

/*
 * Handles SIGTRAP after each instruction of wr_tag_add(). At step interrupt_at another object
 * leaves, as on another CPU; adding may have passed its slot already. Then the same object is
 * added, as in an interrupt, and takes that slot. At step second_at the object is added once more.
 */
static void on_step(int signal)
{
	if (++steps == interrupt_at)
		wr_tag_remove(interrupted, BITS, leaving, &in_interrupt);
	if (steps == interrupt_at || steps == second_at)
		wr_tag_add(interrupted, BITS, object_of(1), &in_interrupt);
}

/*
 * One run of the test. Three other objects hold the first slots of the bucket of object 1. After
 * @at instructions of adding object 1, the @nr-th of the three is removed and object 1 is added by
 * an interrupt, and @later instructions after that by another. In the end object 1 must have
 * exactly one slot, and each addition must be counted. Returns false if adding takes fewer than @at
 * instructions.
 */
static bool interrupt(unsigned int at, unsigned int later, unsigned int nr)
{
	const __u64 object = object_of(1);
	struct wr_tag_counts others_counts = { 0 }, sum = { 0 };
	__u64 others[3];
	unsigned int n = 0;

	memset(interrupted, 0, SLOTS * sizeof(__u64));
	memset(&in_task, 0, sizeof(in_task));
	memset(&in_interrupt, 0, sizeof(in_interrupt));
	for (unsigned int number = 2; n < 3; number++)
		if (same_bucket(interrupted, object_of(number), object))
			others[n++] = object_of(number);
	for (n = 0; n < 3; n++)
		wr_tag_add(interrupted, BITS, others[n], &others_counts);
	leaving = others[nr];
	steps = 0;
	interrupt_at = at;
	second_at = at + later;
	trap_flag_set();
	wr_tag_add(interrupted, BITS, object, &in_task);
	trap_flag_clear();
	add_counts(&sum, &in_task);
	add_counts(&sum, &in_interrupt);
	assert_int_equal(slots_of(interrupted, object), 1);
	assert_int_equal(sum.tagged, 1);
	assert_int_equal(sum.again, (steps >= at) + (steps >= at + later));
	assert_int_equal(sum.untagged, steps >= at);
	wr_tag_remove(interrupted, BITS, object, &sum);
	assert_false(wr_tag_find(interrupted, BITS, object));
	return steps >= at;
}

static void an_interrupt_adds_the_same_object(void **state)
{
	interrupted = new_table();
	interrupt_everywhere(on_step, interrupt);
	free(interrupted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_a_reference_has_it),
		cmocka_unit_test(threads_tag_the_same_objects),
		cmocka_unit_test(an_interrupt_adds_the_same_object),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
