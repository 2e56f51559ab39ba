// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the splice engine on real code on a real processor. The instructions of libraries that this
 * process has loaded are spliced, all of them or random ones, and the libraries do the same work
 * with and without the splices. The results must be the same to the bit, counters and advice must
 * have counted the same, and after unweaving the text must be as before. WEFT_SEED repeats a run;
 * WEFT_LONG does more.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "loaded.h"
#include "work.h"

enum { WORKS_MAX = 16, ENOUGH = 200000 };

static uint64_t expected[WORKS_MAX];

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec * 1e-9;
}

static int setup(void **state)
{
	*state = loaded_create();
	for (size_t i = 0; i < nr_works; i++)
		expected[i] = works[i].run(1);
	return 0;
}

static int teardown(void **state)
{
	loaded_destroy(*state);
	return 0;
}

/*
 * Checks the numbers of hits: those that the advice has counted itself must be those that the
 * trampolines have counted.
 */
static void check_counts(const struct loaded *loaded, const struct weave *weave)
{
	uint64_t hits = 0;
	size_t reached = 0;

	for (size_t i = 0; i < weave->shadows.n; i++) {
		const struct counts *counts = &loaded->cpu->counts[i];

		hits += counts->hits;
		reached += counts->hits > 0;
		assert_int_equal(counts->missed, 0);
		assert_int_equal(counts->ran,
				 weave->shadows.data[i].advice == COUNTER ? 0 : counts->hits);
	}
	print_message("  %zu shadows were hit, %lu hits, %lu traps", reached, hits,
		      loaded->cpu->trapped);
	assert_true(reached >= ENOUGH / 2);
	assert_int_equal(loaded->cpu->guard, WR_GUARD_IDLE);
	assert_int_equal(loaded->cpu->preempt_count, NOT_IDLE);
}

static void work_woven(struct loaded *loaded, struct weave *weave, const char *what)
{
	uint64_t before = loaded_text(loaded), results[WORKS_MAX];
	double start;
	size_t others;

	weave_print(weave, what);
	cpu_reset(loaded->cpu);
	weave_arm(weave);
	start = now();
	for (size_t i = 0; i < nr_works; i++)
		results[i] = works[i].run(1);
	start = now() - start;
	others = weave_disarm(weave);
	for (size_t i = 0; i < nr_works; i++)
		assert_int_equal(results[i], expected[i]);
	assert_int_equal(others, 0);
	assert_int_equal(loaded_text(loaded), before);
	assert_true(weave->shadows.n >= ENOUGH);
	for (size_t kind = WEFT_SPLICE_TRAP; kind < WEFT_SPLICE_KINDS; kind++)
		assert_true(weave->by_kind[kind] > 0);
	assert_true(weave->donors > 0);
	assert_true(weave->attaches_before > weave->shadows.n / 100);
	check_counts(loaded, weave);
	print_message(", %.2f s\n", start);
	weave_deinit(weave);
}

static void test_counters(void **state)
{
	struct weave weave;

	loaded_weave_all(*state, &weave, COUNTER, NULL, 0);
	work_woven(*state, &weave, "counters");
}

static void test_advice(void **state)
{
	struct weave weave;

	loaded_weave_all(*state, &weave, CLOBBER, NULL, 0);
	work_woven(*state, &weave, "advice");
}

static void test_random(void **state)
{
	for (unsigned int round = 0; round < 2; round++) {
		struct weave weave;

		loaded_weave_random(*state, &weave, 0);
		work_woven(*state, &weave, "random");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_random),
	};
	const struct CMUnitTest more[] = {
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_advice),
		cmocka_unit_test(test_random),
	};

	return getenv("WEFT_LONG") ? cmocka_run_group_tests(more, setup, teardown)
				   : cmocka_run_group_tests(tests, setup, teardown);
}
