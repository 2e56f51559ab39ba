// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the weaver's table of flags that instructions leave undefined (x86/status-flags.h), and
 * whether the other test programs leave exactly these flags out of their comparisons, exactly as
 * long as they are undefined. The libraries, unwoven, are stepped on emulated processors that
 * differ only in what they leave in undefined flags. All must take the same steps, with the same
 * registers and the same defined flags before each instruction. The test must also notice a table
 * that lacks an instruction, a table that calls a defined flag undefined, and a defined flag whose
 * value is changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "apart.h"
#include "x86/status-flags.h"
#include "loaded.h"
#include "trap.h"

/*
 * A child records up to STEPS instructions of a work (work.h) that are inside the libraries, or
 * STEPS_LONG if the environment variable WEFT_LONG is set. The work may loop for ever outside of
 * the libraries, where nothing is recorded. So the child also ends after ELSEWHERE times that many
 * steps, wherever they are.
 */
enum { STEPS = 3000, STEPS_LONG = 200000, ELSEWHERE = 8, LIVE_ALL = WR_BIT(WR_FLAGS + 1) - 1 };

/* The state before an instruction, and which of its flags are undefined there. */
struct step {
	uint64_t address;
	struct weft_frame frame;
	struct undefined undefined;
};

struct steps {
	size_t n, size;	    /* How many steps there are, and room for how many. */
	uint64_t result;    /* The result of the work, if it ran to its end. */
	struct step list[]; /* The steps. */
};

static struct loaded *loaded;
/*
 * The steps on this processor and on an emulated one, in memory that parent and children share.
 * `now` is the one of them that a child fills.
 */
static struct steps *here, *elsewhere, *now;

/*
 * The parent sets these variables, and its children read them. `maker`: the processor that is
 * emulated. `taken`: flags that are taken for undefined although the table calls them defined. The
 * last two: the flags that are inverted at step flip_at.
 */
static enum maker maker;
static uint16_t taken;
static size_t flip_at;
static uint16_t flip;

static const uint16_t flags[] = { WV_CF, WV_PF, WV_AF, WV_ZF, WV_SF, WV_OF };
enum { NR_FLAGS = sizeof(flags) / sizeof(flags[0]) };

static size_t shared_size(void)
{
	return sizeof(*here) + (getenv("WEFT_LONG") ? STEPS_LONG : STEPS) * sizeof(here->list[0]);
}

/* ---- functions that run in the children ------------------------------------------------------ */

/*
 * Only steps inside the libraries are recorded: other code reads the time, the parent's pid and so
 * on, which differ from run to run.
 */
static bool is_in_library(uint64_t address)
{
	for (size_t i = 0; i < LIBRARIES; i++)
		if (address - loaded->libraries[i].text < loaded->libraries[i].text_size)
			return true;
	return false;
}

static void record(ucontext_t *context)
{
	const struct undefined undefined = makers_step(context);
	struct step *step = &now->list[now->n];
	static size_t all;

	if (++all == now->size * ELSEWHERE)
		_exit(0);
	if (!is_in_library(trap_address(context)))
		return;
	if (flip && now->n == flip_at)
		context->uc_mcontext.gregs[REG_EFL] ^= flip;
	step->address = trap_address(context);
	step->undefined = undefined;
	trap_frame(context, &step->frame);
	if (++now->n == now->size)
		_exit(0); /* The limit of steps is reached. */
}

static void run_recorded(const struct work *work)
{
	makers_begin(loaded->decoder, maker, taken);
	trap_step_begin(record);
	apart_run(work->run, 1);
	trap_step_end();
}

static void only_step(ucontext_t *context)
{
	makers_step(context);
}

static void run_to_the_end(const struct work *work)
{
	makers_begin(loaded->decoder, maker, taken);
	trap_step_begin(only_step);
	now->result = apart_run(work->run, 1);
	trap_step_end();
}

static void run_unstepped(const struct work *work)
{
	now->result = apart_run(work->run, 1);
}

/* ---- functions that run in the parent -------------------------------------------------------- */

/* Records the steps of @work on a processor of @maker in @to. Returns the child's status. */
static int record_work(const struct work *work, struct steps *to)
{
	now = to;
	to->n = 0;
	to->size = (shared_size() - sizeof(*to)) / sizeof(to->list[0]);
	return apart_child(run_recorded, work, taken || flip);
}

static int record_here(const struct work *work)
{
	maker = MAKER_HERE;
	taken = flip = 0;
	return record_work(work, here);
}

/*
 * Returns the number of steps before the first one that differs between here and elsewhere. With
 * @masked, flags that are undefined at a step are not compared.
 */
static size_t same_steps(bool masked)
{
	static const struct undefined none = { 0 };
	size_t n = here->n < elsewhere->n ? here->n : elsewhere->n, i;

	for (i = 0; i < n; i++) {
		const struct step *a = &here->list[i], *b = &elsewhere->list[i];

		if (a->address != b->address ||
		    apart_differing(&a->frame, &b->frame, LIVE_ALL, masked ? a->undefined : none))
			break;
	}
	return i;
}

static bool all_same(int status, bool masked)
{
	return !status && here->n == elsewhere->n && same_steps(masked) == here->n;
}

static void print_difference(size_t i)
{
	const struct step *a = &here->list[i], *b = &elsewhere->list[i];
	const uint8_t *text = (const uint8_t *)(uintptr_t)a[i ? -1 : 0].address;

	print_message("after");
	for (unsigned int byte = 0; byte < 8; byte++)
		print_message(" %02x", text[byte]);
	print_message(": at %#lx and %#lx, flags %#lx and %#lx, undefined %#x, "
		      "registers that differ %#x\n",
		      a->address, b->address, a->frame.flags, b->frame.flags, a->undefined.flags,
		      apart_differing(&a->frame, &b->frame, LIVE_ALL, a->undefined));
}

static void count_undefined(size_t sums[NR_FLAGS])
{
	for (size_t at = 0; at < here->n; at++)
		for (size_t i = 0; i < NR_FLAGS; i++)
			sums[i] += (here->list[at].undefined.flags & flags[i]) != 0;
}

/*
 * All processors must take the same steps if undefined flags are not compared. If they are
 * compared, each emulated processor must differ from this one somewhere.
 */
static void test_steps(void **state)
{
	size_t steps = 0, undefined[NR_FLAGS] = { 0 }, found[MAKERS] = { 0 };

	for (size_t i = 0; i < nr_works; i++) {
		assert_int_equal(record_here(&works[i]), 0);
		steps += here->n;
		count_undefined(undefined);
		for (maker = MAKER_HERE + 1; maker < MAKERS; maker++) {
			int status = record_work(&works[i], elsewhere);

			if (!all_same(status, true)) {
				print_difference(same_steps(true));
				fail_msg("%s, processor %s: differs after %zu steps", works[i].name,
					 maker_names[maker], same_steps(true));
			}
			found[maker] += !all_same(status, false);
		}
	}
	print_message("%zu steps of %zu works\n", steps, nr_works);
	for (size_t i = 0; i < NR_FLAGS; i++) {
		print_message("flag %#x is undefined at %zu\n", flags[i], undefined[i]);
		/* AF is undefined more often: only additions and subtractions define it. */
		assert_true(undefined[i] < (flags[i] == WV_AF ? steps * 3 / 4 : steps / 8));
	}
	for (maker = MAKER_HERE + 1; maker < MAKERS; maker++)
		assert_true(found[maker] > 0);
}

/*
 * Each work must have the same result on all processors. Without WEFT_LONG only one work is tried,
 * on one emulated processor that the seed chooses.
 */
static void test_results(void **state)
{
	static const char short_one[] = "digests";
	const enum maker one = MAKER_HERE + 1 + loaded_random(loaded) % (MAKERS - MAKER_HERE - 1);
	const bool is_long = getenv("WEFT_LONG");

	now = here;
	for (size_t i = 0; i < nr_works; i++) {
		uint64_t result;

		if (!is_long && strcmp(works[i].name, short_one))
			continue;
		assert_int_equal(apart_child(run_unstepped, &works[i], false), 0);
		result = now->result;
		taken = 0;
		for (maker = MAKER_HERE + 1; maker < MAKERS; maker++) {
			if (!is_long && maker != one)
				continue;
			now->result = 0;
			assert_int_equal(apart_child(run_to_the_end, &works[i], false), 0);
			assert_int_equal(now->result, result);
		}
	}
}

/*
 * If the table calls a defined flag undefined, the test must notice, for each flag except PF and
 * AF, on which no branch of these works depends.
 */
static void test_flag_too_many(void **state)
{
	uint16_t left = WV_STATUS_FLAGS & ~(WV_PF | WV_AF);

	for (size_t work = 0; work < nr_works && left; work++) {
		assert_int_equal(record_here(&works[work]), 0);
		for (size_t i = 0; i < NR_FLAGS; i++) {
			taken = flags[i] & left;
			for (maker = MAKER_CLEARS; maker < MAKERS && taken; maker++) {
				if (all_same(record_work(&works[work], elsewhere), true))
					continue;
				left &= ~taken;
				taken = 0;
			}
		}
	}
	if (left)
		fail_msg("nobody notices flags %#x", left);
}

static bool is_undefined(size_t step, uint16_t flag)
{
	return here->list[step].undefined.flags & flag;
}

/*
 * Returns the first step at which @flag becomes defined. If it never does, returns the first step
 * but step 0 at which it is defined; if there is none either, the test fails.
 */
static size_t find_defined(uint16_t flag)
{
	for (size_t i = 1; i < here->n; i++)
		if (is_undefined(i - 1, flag) && !is_undefined(i, flag))
			return i;
	for (size_t i = 1; i < here->n; i++)
		if (!is_undefined(i, flag))
			return i;
	fail_msg("flag %#x is never defined", flag);
	return 0;
}

/* If a defined flag is inverted, the test must notice at that very step. */
static void test_wrong_flag(void **state)
{
	const struct work *work = &works[nr_works - 1];

	assert_int_equal(record_here(work), 0);
	for (size_t i = 0; i < NR_FLAGS; i++) {
		int status;

		flip_at = find_defined(flags[i]);
		flip = flags[i];
		status = record_work(work, elsewhere);
		assert_false(all_same(status, true));
		assert_int_equal(same_steps(true), flip_at);
	}
	flip = 0;
}

static int setup(void **state)
{
	loaded = loaded_create();
	here = apart_shared(shared_size());
	elsewhere = apart_shared(shared_size());
	return 0;
}

static int teardown(void **state)
{
	loaded_destroy(loaded);
	munmap(here, shared_size());
	munmap(elsewhere, shared_size());
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_results),
		cmocka_unit_test(test_flag_too_many),
		cmocka_unit_test(test_wrong_flag),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
