// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks woven libraries against the processor's own single steps. Two children of one parent,
 * which have the same addresses, do the same work: one steps through the libraries as they are, the
 * other runs them woven. Compared are how often each instruction was executed, and the registers,
 * flags and stack pointer at every instruction. To show that the test can fail, trampolines are
 * made to forget a register. test_returns.c compares what a trampoline returns to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "advice.h"
#include "apart.h"
#include "loaded.h"
#include "trap.h"
#include "work.h"

static bool is_long; /* Set by WEFT_LONG: all works are run, and more of each. */
/* The work with the fewest steps, most of which are in the woven functions. */
static const char short_one[] = "digests";

/* The parent sets these for its children. */
static struct weave *woven;
static struct wv_decoder *decoder;
static struct cpu *own_cpu;
/* In memory that parent and children share: the result of each run, and the steps of the work. */
static uint64_t *results, *steps;

static int setup(void **state)
{
	struct loaded *loaded = *state = loaded_create();

	decoder = loaded->decoder;
	is_long = getenv("WEFT_LONG");
	results = apart_shared(2 * sizeof(*results));
	steps = apart_shared(sizeof(*steps));
	return 0;
}

static int teardown(void **state)
{
	loaded_destroy(*state);
	return 0;
}

/* ---- the unwoven run records every step ------------------------------------------------------ */

/*
 * For each address, 1 + the number of the shadow there, or 0. The index is the distance from
 * `lowest`.
 */
static uint32_t *shadow_at;
static uint64_t lowest, highest;

static void map_shadows(const struct weave *weave)
{
	lowest = UINT64_MAX;
	highest = 0;
	wv_vec_for_each(shadow, &weave->shadows) {
		lowest = shadow->address < lowest ? shadow->address : lowest;
		highest = shadow->address > highest ? shadow->address : highest;
	}
	shadow_at = mmap(NULL, (highest - lowest + 1) * sizeof(*shadow_at), PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert_ptr_not_equal(shadow_at, MAP_FAILED);
	for (size_t i = 0; i < weave->shadows.n; i++)
		shadow_at[weave->shadows.data[i].address - lowest] = i + 1;
}

static void unmap_shadows(void)
{
	munmap(shadow_at, (highest - lowest + 1) * sizeof(*shadow_at));
}

/*
 * Returns 1 + the number of the shadow that is about to be executed, or 0. Further steps of one
 * repeated string instruction do not count as executions.
 */
static uint32_t shadow_of(const ucontext_t *context)
{
	static uint64_t last;
	uint64_t address = trap_address(context), before = last;

	last = address;
	return address == before || address - lowest > highest - lowest
		       ? 0
		       : shadow_at[address - lowest];
}

/* ---- test of how often each instruction was executed ----------------------------------------- */

static uint64_t *counted; /* Executions of each shadow, in shared memory. */
static void count_step(ucontext_t *context)
{
	uint32_t shadow = shadow_of(context);

	++*steps;
	if (shadow)
		counted[shadow - 1]++;
}

static void count_stepped(const struct work *work)
{
	trap_step_begin(count_step);
	results[0] = apart_run(work->run, 1);
	trap_step_end();
}

static uint64_t *hits; /* Hits of each shadow as trampolines have counted them, in shared memory. */

static void count_woven(const struct work *work)
{
	weave_arm(woven);
	results[1] = apart_run(work->run, 1);
	weave_disarm(woven);
	for (size_t i = 0; i < woven->shadows.n; i++)
		hits[i] = own_cpu->counts[i].hits;
}

static void compare_counts(const struct work *work)
{
	size_t size = woven->shadows.n * sizeof(uint64_t), wrong = 0;
	uint64_t sum = 0;

	counted = apart_shared(size);
	hits = apart_shared(size);
	*steps = 0;
	assert_int_equal(apart_child(count_stepped, work, false), 0);
	assert_int_equal(apart_child(count_woven, work, false), 0);
	for (size_t i = 0; i < woven->shadows.n; i++) {
		sum += hits[i];
		if (counted[i] != hits[i] && wrong++ < 5)
			print_message("%#lx: %lu hits, %lu steps\n", woven->shadows.data[i].address,
				      hits[i], counted[i]);
	}
	print_message("%s: %lu steps, %lu of them at shadows\n", work->name, *steps, sum);
	assert_int_equal(wrong, 0);
	assert_int_equal(results[0], results[1]);
	/*
	 * Much of the work must have been at shadows, even if some of it ran outside of the woven
	 * functions.
	 */
	assert_true(sum > *steps / 8);
	munmap(counted, size);
	munmap(hits, size);
}

static void test_counts(void **state)
{
	struct loaded *loaded = *state;
	struct weave weave;

	woven = &weave;
	own_cpu = loaded->cpu;
	cpu_reset(own_cpu);
	loaded_weave_all(loaded, &weave, COUNTER, NULL, 0);
	map_shadows(&weave);
	for (size_t i = 0; i < nr_works; i++)
		if (is_long || !strcmp(works[i].name, short_one))
			compare_counts(&works[i]);
	unmap_shadows();
	weave_deinit(&weave);
}

/* ---- test of the registers at each instruction ----------------------------------------------- */

enum { STATES = 3000, STATES_LONG = 1000000 };

/* The states at single steps, and the states that advice has recorded, in shared memory. */
static struct record *stepped, *recorded;
/* The undefined flags at each of stepped->states, in shared memory. */
static struct undefined *undefined;
static size_t nr_leftover, nr_undefined;

static size_t nr_states(void)
{
	return is_long ? STATES_LONG : STATES;
}

static void record_step(ucontext_t *context)
{
	const struct undefined flags = makers_step(context);
	uint32_t shadow = shadow_of(context);

	if (!shadow || stepped->n >= stepped->size)
		return;
	undefined[stepped->n] = flags;
	stepped->states[stepped->n].address = trap_address(context);
	trap_frame(context, &stepped->states[stepped->n++].frame);
	if (stepped->n == stepped->size)
		_exit(0); /* The buffer is full, so there are enough states. */
}

static void record_stepped(const struct work *work)
{
	makers_begin(decoder, MAKER_HERE, 0);
	trap_step_begin(record_step);
	results[0] = apart_run(work->run, 1);
	trap_step_end();
}

static void record_woven(const struct work *work)
{
	advice_record_to = recorded;
	advice_shadows = woven->shadows.data;
	weave_arm(woven);
	results[1] = apart_run(work->run, 1);
}

static void print_state(const char *what, const struct state *state)
{
	const struct shadow *shadow = &woven->shadows.data[shadow_at[state->address - lowest] - 1];

	print_message("  %s at %#lx, live %#x, flags %#lx:", what, state->address, shadow->live,
		      state->frame.flags);
	for (unsigned int reg = 0; reg < WR_NR_REGISTERS; reg++)
		print_message(" %lx", state->frame.reg[reg]);
	print_message("\n");
}

/*
 * Returns how many states are the same, from the first on. A register that was filled with
 * leftovers on the stack may differ until it gets another value. Flags may differ where they are
 * undefined.
 */
static size_t same_states(size_t n)
{
	uint32_t tolerated = 0;
	size_t i = 0;

	for (; i < n; i++) {
		const struct state *a = &stepped->states[i], *b = &recorded->states[i];
		uint32_t live, differ, differ_now;

		if (a->address != b->address)
			break;
		live = woven->shadows.data[shadow_at[a->address - lowest] - 1].live | woven->forget;
		differ = apart_differing(&a->frame, &b->frame, live, undefined[i]);
		differ_now = differ & ~tolerated;
		if (differ_now && (!i || differ_now & ~apart_leftover(a[-1].address)))
			break;
		nr_leftover += differ_now != 0;
		nr_undefined += live & WR_BIT(WR_FLAGS) && undefined[i].flags;
		tolerated = differ;
	}
	return i;
}

/* Returns how many states are the same. Sets *@all_ret if all are. */
static size_t compare_states(const struct work *work, bool *all_ret)
{
	size_t i, n;
	int status;

	stepped->n = recorded->n = 0;
	stepped->size = recorded->size = nr_states();
	if (apart_child(record_stepped, work, false))
		fail_msg("%s cannot be stepped", work->name);
	status = apart_child(record_woven, work, woven->forget);
	n = stepped->n < recorded->n ? stepped->n : recorded->n;
	i = same_states(n);
	*all_ret = !status && i == stepped->n && (i == stepped->size || recorded->n == i);
	return i;
}

static void create_records(void)
{
	stepped = apart_shared(sizeof(*stepped) + nr_states() * sizeof(struct state));
	recorded = apart_shared(sizeof(*recorded) + nr_states() * sizeof(struct state));
	undefined = apart_shared(nr_states() * sizeof(*undefined));
}

static void destroy_records(void)
{
	munmap(stepped, sizeof(*stepped) + nr_states() * sizeof(struct state));
	munmap(recorded, sizeof(*recorded) + nr_states() * sizeof(struct state));
	munmap(undefined, nr_states() * sizeof(*undefined));
}

static void test_states(void **state)
{
	struct weave weave;
	size_t sum = 0;

	woven = &weave;
	create_records();
	loaded_weave_all(*state, &weave, RECORD, NULL, 0);
	map_shadows(&weave);
	for (size_t i = 0; i < nr_works; i++) {
		bool all;
		size_t n = compare_states(&works[i], &all);

		if (!all) {
			print_state("stepped", &stepped->states[n]);
			print_state("woven", &recorded->states[n]);
			fail_msg("%s differs after %zu instructions at %#lx", works[i].name, n,
				 (unsigned long)stepped->states[n].address);
		}
		sum += n;
	}
	print_message("registers and flags are the same at %zu instructions of %zu works, but for "
		      "%zu values from the stack; some flags are undefined at %zu\n",
		      sum, nr_works, nr_leftover, nr_undefined);
	assert_true(nr_leftover < sum / 100);
	unmap_shadows();
	weave_deinit(&weave);
	destroy_records();
}

static const struct work *short_work(void)
{
	size_t i = 0;

	while (strcmp(works[i].name, short_one))
		i++;
	return &works[i];
}

/* If trampolines do not save any single register, or the flags, the test must notice. */
static void test_forgotten_register(void **state)
{
	const struct work *work = short_work();

	create_records();
	for (unsigned int reg = 0; reg <= WR_FLAGS; reg++) {
		struct weave weave;
		bool all;

		if (reg < WR_FLAGS && !(WR_CALLER_SAVED & WR_BIT(reg)))
			continue; /* These registers are callee-saved, so advice preserves them. */
		woven = &weave;
		loaded_weave_all(*state, &weave, RECORD, work->library, WR_BIT(reg));
		map_shadows(&weave);
		compare_states(work, &all);
		assert_false(all);
		unmap_shadows();
		weave_deinit(&weave);
	}
	destroy_records();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_forgotten_register),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
