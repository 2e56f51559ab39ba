// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the table of tasks in a process: compared with a plain array that keeps every task; with
 * threads that act as CPUs, each running one task after another; and with a signal handler that
 * acts as an interrupt and runs between any two instructions of a claim.
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

#include "runtime/task-table.h"
#include "interference.h"
#include "trap-flag.h"

enum { BITS = 4, SLOTS = WR_TASK_WAYS << BITS };

/* The data of a task. .own is the task's key, so that a slot which two tasks share is noticed. */
struct kept {
	__u64 own, count;
};

static struct wr_tasks new_tasks(void)
{
	struct wr_tasks tasks = {
		.keys = aligned_alloc(64, SLOTS * sizeof(__u64)),
		.data = calloc(SLOTS, sizeof(struct kept)),
	};

	memset(tasks.keys, 0, SLOTS * sizeof(__u64));
	return tasks;
}

static void free_tasks(struct wr_tasks *tasks)
{
	free(tasks->keys);
	free(tasks->data);
}

static struct kept *find(const struct wr_tasks *tasks, __u64 key)
{
	return wr_task_data(tasks, wr_task_find(tasks, BITS, key), sizeof(struct kept));
}

static struct kept *claim(const struct wr_tasks *tasks, __u64 key)
{
	return wr_task_data(tasks, wr_task_claim(tasks, BITS, key), sizeof(struct kept));
}

static void leave(const struct wr_tasks *tasks, __u64 key)
{
	wr_task_leave(tasks, BITS, sizeof(struct kept), key);
}

static __u64 next_random(__u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Keys are addresses of tasks, as in a kernel: multiples of 64 in the upper half. */
static __u64 key_of(unsigned int task)
{
	return 0xffff888004000000u + (__u64)task * 0x1a40;
}

static unsigned int used(const struct wr_tasks *tasks)
{
	unsigned int n = 0;

	for (int slot = 0; slot < SLOTS; slot++)
		n += tasks->keys[slot] != 0;
	return n;
}

/*
 * Random claims, look-ups and leaves of many tasks, compared with a plain array. If a claim fails,
 * all slots of the task's bucket must be taken.
 */
static void as_a_reference_has_it(void **state)
{
	enum { TASKS = 200 };
	struct wr_tasks tasks = new_tasks();
	__u64 counts[TASKS] = { 0 }, random = 88172645463325252u, dropped = 0;
	bool there[TASKS] = { false };

	for (int i = 0; i < 400000; i++) {
		__u64 choice = next_random(&random);
		unsigned int task = choice % TASKS, live = 0;
		struct kept *kept;

		switch (choice >> 32 & 3) {
		case 0:
			leave(&tasks, key_of(task));
			there[task] = false;
			counts[task] = 0;
			break;
		case 1:
			assert_true((find(&tasks, key_of(task)) != NULL) == there[task]);
			break;
		default:
			kept = claim(&tasks, key_of(task));
			if (!kept) {
				for (unsigned int other = 0; other < TASKS; other++)
					live += there[other] &&
						wr_task_bucket(BITS, key_of(other)) ==
							wr_task_bucket(BITS, key_of(task));
				assert_int_equal(live, WR_TASK_WAYS);
				dropped++;
				continue;
			}
			there[task] = true;
			assert_int_equal(kept->count++, counts[task]++);
		}
	}
	assert_true(dropped > 100);
	for (unsigned int task = 0; task < TASKS; task++)
		leave(&tasks, key_of(task));
	assert_int_equal(used(&tasks), 0);
	for (int slot = 0; slot < SLOTS; slot++)
		assert_int_equal(((struct kept *)tasks.data)[slot].count, 0);
	free_tasks(&tasks);
}

enum { THREADS = 4, LIVES = 40000, HITS = 6 };

struct worker {
	const struct wr_tasks *tasks;
	unsigned int number;
	__u64 wrong, dropped, kept;
};

static void live(struct worker *worker, __u64 key)
{
	for (__u64 hit = 0; hit < HITS; hit++) {
		struct kept *kept = claim(worker->tasks, key);

		if (!kept) {
			worker->dropped++;
			return;
		}
		worker->wrong += kept->count++ != hit || (hit && kept->own != key);
		kept->own = key;
		worker->kept++;
	}
	leave(worker->tasks, key);
}

static void *work(void *argument)
{
	struct worker *worker = argument;

	for (unsigned int i = 0; i < LIVES; i++)
		live(worker, key_of(i * THREADS + worker->number));
	return NULL;
}

static void threads_keep_what_is_theirs(void **state)
{
	struct wr_tasks tasks = new_tasks();
	struct worker workers[THREADS] = { 0 };

	for (unsigned int i = 0; i < THREADS; i++) {
		workers[i].tasks = &tasks;
		workers[i].number = i;
	}
	run_threads(work, workers, sizeof(*workers), THREADS);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(workers[i].wrong, 0);
		assert_int_equal(workers[i].dropped, 0);
		assert_int_equal(workers[i].kept, LIVES * HITS);
	}
	assert_int_equal(used(&tasks), 0);
	free_tasks(&tasks);
}

/* ---- test of claims that are interrupted after any instruction ------------------------------- */

static struct wr_tasks interrupted;
static volatile __u64 steps, interrupt_at, second_at;
static __u64 leaving;

static void hit(__u64 key)
{
	struct kept *kept = claim(&interrupted, key);

	if (kept)
		wr_increment(&kept->count);
}

/*
 * Handles SIGTRAP after each instruction of hit(). At step interrupt_at the task `leaving` frees
 * its slot, as another CPU might; the claim under way may have passed that slot already. Then
 * advice of the same task as the claim's is hit, as in an interrupt, and takes the slot. At step
 * second_at that advice is hit once more.
 */
static void on_step(int signal)
{
	if (++steps == interrupt_at)
		leave(&interrupted, leaving);
	if (steps == interrupt_at || steps == second_at)
		hit(key_of(1));
}

/*
 * One run of the test. Three other tasks hold the first slots of the bucket of task 1. Task 1 then
 * claims a slot. After @at instructions of that claim, the @nr-th of the three frees its slot and
 * an interrupt hits advice of task 1; @later instructions after that, advice of task 1 is hit again
 * (on_step()). In the end task 1 must have exactly one slot, in which all hits are counted. Returns
 * false if the claim had fewer than @at instructions.
 */
static bool interrupt(unsigned int at, unsigned int later, unsigned int nr)
{
	__u64 key = key_of(1), others[3];
	unsigned int n = 0, hits, found = 0;

	memset(interrupted.keys, 0, SLOTS * sizeof(__u64));
	memset(interrupted.data, 0, SLOTS * sizeof(struct kept));
	for (unsigned int task = 2; n < 3; task++)
		if (wr_task_bucket(BITS, key_of(task)) == wr_task_bucket(BITS, key))
			others[n++] = key_of(task);
	for (n = 0; n < 3; n++)
		claim(&interrupted, others[n]);
	leaving = others[nr];
	steps = 0;
	interrupt_at = at;
	second_at = at + later;
	trap_flag_set();
	hit(key);
	trap_flag_clear();
	hits = 1 + (steps >= at) + (steps >= at + later);
	for (int slot = 0; slot < SLOTS; slot++)
		found += interrupted.keys[slot] == key;
	assert_int_equal(found, 1);
	assert_int_equal(find(&interrupted, key)->count, hits);
	return steps >= at;
}

static void interrupts_make_no_second_slot(void **state)
{
	interrupted = new_tasks();
	interrupt_everywhere(on_step, interrupt);
	free_tasks(&interrupted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_a_reference_has_it),
		cmocka_unit_test(threads_keep_what_is_theirs),
		cmocka_unit_test(interrupts_make_no_second_slot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
