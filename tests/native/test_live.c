// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two threads run the libraries all the time and look at every result, while a third arms and
 * disarms random splices of every kind under them: cross-modifying code on processors that really
 * fetch ahead. No result may be wrong, and every trap somebody's.
 */
#include <err.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "apart.h"
#include "live.h"
#include "trap.h"
#include "unit.h"

enum { THREADS = 2, STEPS = 100000, STEPS_LONG = 1000000 };

static struct live live;
static uint64_t expected[UNIT_SEEDS];
static atomic_bool ended;

struct worker {
	pthread_t thread;
	unsigned int number;
	unsigned long units, wrong, trapped, hits, ran;
};

/* Between two units of work a thread is in no woven code. */
static void *work(void *data)
{
	struct worker *worker = data;
	struct cpu *cpu = cpu_create();

	trap_thread_init();
	for (unsigned int seed = worker->number; !atomic_load(&ended); seed++) {
		worker->wrong += unit_run(seed % UNIT_SEEDS) != expected[seed % UNIT_SEEDS];
		worker->units++;
		atomic_fetch_add(&live.passes[worker->number], 1);
	}
	worker->trapped = cpu->trapped;
	for (size_t i = 0; i < SHADOWS_MAX; i++) {
		worker->hits += cpu->counts[i].hits;
		worker->ran += cpu->counts[i].ran;
		worker->wrong += cpu->counts[i].missed;
	}
	return NULL;
}

/* The functions that the work goes through: nobody learns much from others. */
static const struct body **find_bodies(struct loaded *loaded, size_t *n_ret)
{
	const struct body **found = calloc(loaded->bodies.list.n, sizeof(*found));
	struct weave weave;
	size_t shadow = 0;

	*n_ret = 0;
	loaded_weave_all(loaded, &weave, COUNTER, NULL, 0);
	cpu_reset(loaded->cpu);
	weave_arm(&weave);
	for (unsigned int seed = 0; seed < UNIT_SEEDS; seed++)
		assert_int_equal(unit_run(seed), expected[seed]);
	weave_disarm(&weave);
	wv_vec_for_each(body, &loaded->bodies.list) {
		bool hit = false;

		for (; shadow < weave.shadows.n &&
		       weave.shadows.data[shadow].address <
			       body->function->start + body->function->size &&
		       weave.shadows.data[shadow].address >= body->function->start;
		     shadow++)
			hit |= loaded->cpu->counts[shadow].hits > 0;
		if (hit)
			found[(*n_ret)++] = body;
	}
	weave_deinit(&weave);
	return found;
}

static void arm_and_disarm(size_t steps)
{
	size_t done = 0;

	while (done < steps) {
		live_arm(&live);
		live_disarm(&live, loaded_random(live.loaded) % (2 * LIVE_BATCH));
		done = live.disarmings;
		for (unsigned int kind = 0; kind < WEFT_SPLICE_KINDS; kind++)
			done += live.armings[kind];
	}
	live_disarm(&live, UINT32_MAX);
}

static const struct body **bodies;
static size_t nr_bodies;

static void run_live(struct loaded *loaded, struct worker *workers, size_t steps, bool impatient)
{
	atomic_store(&ended, false);
	live_init(&live, loaded, bodies, nr_bodies, THREADS);
	live.impatient = impatient;
	for (unsigned int i = 0; i < THREADS; i++) {
		workers[i].number = i;
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			err(2, "thread");
	}
	arm_and_disarm(steps);
	atomic_store(&ended, true);
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
}

static void test_live(void **state)
{
	struct worker workers[THREADS] = { 0 };
	uint64_t before = loaded_text(*state);

	run_live(*state, workers, getenv("WEFT_LONG") ? STEPS_LONG : STEPS, false);
	assert_int_equal(loaded_text(*state), before);
	print_message("%zu functions; armed: call %zu, jump %zu (%zu windows of several), "
		      "springboard %zu (%zu by donors), trap %zu; disarmed %zu; "
		      "%zu grace periods, %zu syncs\n",
		      nr_bodies, live.armings[WEFT_SPLICE_CALL], live.armings[WEFT_SPLICE_JUMP],
		      live.displaceable, live.armings[WEFT_SPLICE_SPRINGBOARD], live.donors,
		      live.armings[WEFT_SPLICE_TRAP], live.disarmings, live.grace_periods,
		      live.syncs);
	for (unsigned int kind = 0; kind < WEFT_SPLICE_KINDS; kind++)
		assert_true(live.armings[kind] > 0);
	assert_true(live.displaceable > 0 && live.donors > 0 &&
		    live.armings[WEFT_SPLICE_SPRINGBOARD] > live.donors);
	for (unsigned int i = 0; i < THREADS; i++) {
		print_message("thread %u: %lu units, %lu hits, %lu traps\n", i, workers[i].units,
			      workers[i].hits, workers[i].trapped);
		assert_int_equal(workers[i].wrong, 0);
		assert_true(workers[i].hits > 0 && workers[i].trapped > 0);
	}
	live_deinit(&live);
}

static struct loaded *of_child;

static void run_impatient(const struct work *unused)
{
	struct worker workers[THREADS] = { 0 };

	run_live(of_child, workers, STEPS_LONG, true);
	_exit(workers[0].wrong || workers[1].wrong);
}

/*
 * Without grace periods somebody is in the middle of a window, or in a patch, before long; and that
 * is noticed.
 */
static void test_impatience(void **state)
{
	of_child = *state;
	assert_int_not_equal(apart_child(run_impatient, NULL, true), 0);
}

static int setup(void **state)
{
	*state = loaded_create();
	for (unsigned int seed = 0; seed < UNIT_SEEDS; seed++)
		expected[seed] = unit_run(seed);
	bodies = find_bodies(*state, &nr_bodies);
	return 0;
}

static int teardown(void **state)
{
	free(bodies);
	loaded_destroy(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_live),
		cmocka_unit_test(test_impatience),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
