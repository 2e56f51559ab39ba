// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests weft.ko's own code in a process while other threads run the text that it changes. Two
 * threads run the libraries all the time and check every result. Meanwhile a third thread, and the
 * thread of weft.ko's grace periods, weave and unweave random aspects with splices of every kind.
 * This is cross-modifying code on processors that really prefetch. No result may be wrong, every
 * int3 that is hit must have an owner, and freed memory may not be used.
 */
#include <err.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "apart.h"
#include "kernel-shim/cpu.h"
#include "live.h"
#include "trap.h"
#include "unit.h"

enum { SPLICES = 10000, SPLICES_LONG = 200000 };

static struct live live;
static uint64_t expected[UNIT_SEEDS];
static atomic_bool ended;

struct worker {
	pthread_t thread;
	unsigned int number;
	unsigned long units, wrong, trapped, hits;
};

/*
 * The thread function of a worker: runs units of work until the test ends, and checks each result.
 * Between two units the thread is in no woven code.
 */
static void *work(void *data)
{
	struct worker *worker = data;
	struct cpu *cpu = cpu_create();

	trap_thread_init();
	shim_cpu_up();
	for (unsigned int seed = worker->number; !atomic_load(&ended); seed++) {
		worker->wrong += unit_run(seed % UNIT_SEEDS) != expected[seed % UNIT_SEEDS];
		worker->units++;
		shim_cpu_quiescent();
	}
	shim_cpu_down();
	worker->trapped = cpu->trapped;
	worker->hits = live_hits(cpu);
	worker->wrong += live_wrong_counts(cpu);
	return NULL;
}

/*
 * Returns the functions that the work runs through. To find them it weaves all functions and looks
 * at the counters; weaving functions that do not run would test little.
 */
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

/* Weaves twice as often as it unweaves, so that all aspects are woven most of the time. */
static void weave_and_unweave(struct loaded *loaded, size_t splices)
{
	enum { WEAVE, WEAVE_TOO, UNWEAVE, SWITCH, TURNS, PROBES = 16 };

	while (live.unwoven < splices) {
		switch (loaded_random(loaded) % TURNS) {
		case UNWEAVE:
			live_unweave(&live);
			break;
		case SWITCH:
			live_switch(&live);
			break;
		default:
			live_weave(&live);
		}
		if (loaded_random(loaded) % PROBES == 0)
			live_probe(&live);
	}
	live_unweave_all(&live);
}

static const struct body **bodies;
static size_t nr_bodies;

/*
 * Starts the workers, and waits until all of them are known as CPUs: the test needs threads that
 * run the text.
 */
static void start(struct worker *workers)
{
	atomic_store(&ended, false);
	for (unsigned int i = 0; i < LIVE_THREADS; i++) {
		workers[i].number = i;
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			err(2, "thread");
	}
	shim_cpus_wait(LIVE_THREADS);
}

static void run_live(struct loaded *loaded, struct worker *workers, size_t splices)
{
	live_init(&live, loaded, bodies, nr_bodies);
	start(workers);
	weave_and_unweave(loaded, splices);
	atomic_store(&ended, true);
	for (unsigned int i = 0; i < LIVE_THREADS; i++)
		pthread_join(workers[i].thread, NULL);
}

static void test_live(void **state)
{
	struct worker workers[LIVE_THREADS] = { 0 };
	uint64_t before = loaded_text(*state);

	run_live(*state, workers, getenv("WEFT_LONG") ? SPLICES_LONG : SPLICES);
	assert_int_equal(loaded_text(*state), before);
	print_message("%zu functions; woven: call %zu, jump %zu (%zu over several), springboard "
		      "%zu (%zu with donors), trap %zu, shared %zu; unwoven %zu; switched %zu; "
		      "probes %zu; %lu grace periods, %lu syncs\n",
		      nr_bodies, live.splices[WEFT_SPLICE_CALL], live.splices[WEFT_SPLICE_JUMP],
		      live.displaced, live.splices[WEFT_SPLICE_SPRINGBOARD], live.donors,
		      live.splices[WEFT_SPLICE_TRAP], live.shared, live.unwoven, live.switched,
		      live.probed, shim_grace_periods, shim_syncs);
	for (unsigned int kind = 0; kind < WEFT_SPLICE_KINDS; kind++)
		assert_true(live.splices[kind] > 0);
	assert_true(live.displaced > 0 && live.donors > 0 && live.shared > 0 &&
		    live.splices[WEFT_SPLICE_SPRINGBOARD] > live.donors);
	for (unsigned int i = 0; i < LIVE_THREADS; i++) {
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
	struct worker workers[LIVE_THREADS] = { 0 };

	shim_no_grace = true;
	run_live(of_child, workers, SPLICES_LONG);
	_exit(workers[0].wrong || workers[1].wrong);
}

/*
 * Without grace periods, code is soon changed while a thread is in its displaced range, or a
 * trampoline is freed while a thread is in it. The test must notice that.
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
