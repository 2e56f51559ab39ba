// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the state after a trampoline. Two children do the same work one step at a time: one with
 * the libraries as they are, one with random splices, through the trampolines and the advice. A
 * passage is an execution from the first byte of a displaced range to where control goes on after
 * it. After each passage both children must be at the same address with the same registers, flags
 * and stack pointer, and with the same bytes on the stack and in the red zone, wherever one of them
 * has changed any. Flags that are undefined there may differ. In some runs both children emulate
 * processors of other makers, which leave other values in undefined flags.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <unistd.h>

#include <cmocka.h>

#include "apart.h"
#include "loaded.h"
#include "trap.h"

enum {
	PASSAGES = 100, /* The most passages of a work. */
	PASSAGES_LONG = 60000, /* The most passages with WEFT_LONG. */
	/* On an emulated processor, the limits of passages are divided by this number. */
	ELSEWHERE = 5,
	BELOW = 128, /* The size of the red zone in bytes. */
	NEAR = 256,  /* How many bytes of the stack are compared; the red zone is among them. */
};

struct passage {
	uint64_t start, end; /* Where the passage begins, and where control goes on. */
	uint32_t leftover;  /* apart_leftover() of the instructions since the last passage. */
	struct undefined undefined; /* Flags that are undefined at .end. */
	/*
	 * The index of the first byte of .stack that is compared. The bytes before it were below
	 * the red zone at some time during the passage, so trampolines and advice may have
	 * overwritten them.
	 */
	uint32_t first;
	struct weft_frame frame;	   /* The registers at .end. */
	/* The stack at .end, and the same addresses at .start. */
	uint8_t stack[NEAR], before[NEAR];
};

struct passages {
	size_t n, size;
	struct passage list[];
};

static struct weave *woven;
static struct wv_decoder *decoder;
static enum maker maker;
/*
 * The passages without and with splices, in memory that parent and children share. `here` is the
 * one of them that a child fills.
 */
static struct passages *plain, *spliced, *here;

/*
 * What is known of each instruction: 1 + the index of the splice that begins there, or 0, and which
 * registers are live.
 */
struct fact {
	uint32_t splice, live;
};
static struct fact *facts;
static uint64_t lowest, highest;

static const struct fact *fact_of(uint64_t address)
{
	static const struct fact nothing = { .live = WEFT_LIVE_UNKNOWN };
	const struct fact *fact =
		address - lowest < highest - lowest ? &facts[address - lowest] : &nothing;

	return fact->live ? fact : &nothing;
}

static void map_facts(const struct loaded *loaded)
{
	lowest = UINT64_MAX;
	for (size_t i = 0; i < LIBRARIES; i++) {
		const struct library *library = &loaded->libraries[i];

		lowest = library->text < lowest ? library->text : lowest;
		highest = library->text + library->text_size > highest
				  ? library->text + library->text_size
				  : highest;
	}
	facts = mmap(NULL, (highest - lowest) * sizeof(*facts), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert_ptr_not_equal(facts, MAP_FAILED);
	wv_vec_for_each(body, &loaded->bodies.list)
		for (size_t i = 0; i < body->n; i++)
			facts[body->insns[i].insn.address - lowest].live =
				body->insns[i].live | WR_BIT(WR_RSP);
	for (size_t i = 0; i < woven->splices.list.n; i++)
		facts[woven->splices.list.data[i].address - lowest].splice = i + 1;
}

/* ---- functions that run in the children ------------------------------------------------------ */

/* The bounds of the section with the code of all advice. */
extern const char __start_advice_text[], __stop_advice_text[];

static bool is_inside(uint64_t address, const struct splice *splice, uint64_t last)
{
	if (address == splice->address)
		/*
		 * A repeated string instruction that goes on is at the same address again: control
		 * stays inside.
		 */
		return last == address;
	return address - splice->address < splice->length ||
	       (splice->slot && address == splice->slot) ||
	       address - (uintptr_t)woven->area < (size_t)(woven->area_end - woven->area) ||
	       (address >= (uintptr_t)__start_advice_text &&
		address < (uintptr_t)__stop_advice_text);
}

/*
 * Bytes below the red zone may have any value: trampolines and advice leave other bytes there than
 * plain code does, and programs copy such bytes as padding of structures. So both children clear
 * them at each step.
 */
static void clear_below(uint64_t end)
{
	enum { DEPTH = 2048 };

	memset((void *)(uintptr_t)(end - DEPTH), 0, DEPTH);
}

static void step(ucontext_t *context)
{
	static const struct splice *splice;
	static uint64_t last, stack, highest_stack;
	static uint32_t leftover;
	const struct undefined undefined = makers_step(context);
	uint64_t address = trap_address(context), before = last;
	struct passage *passage = &here->list[here->n];

	last = address;
	if (splice)
		highest_stack = MAX(highest_stack, (uint64_t)context->uc_mcontext.gregs[REG_RSP]);
	if (fact_of(before) != fact_of(0))
		leftover |= apart_leftover(before);
	if (splice && is_inside(address, splice, before))
		return;
	clear_below(splice ? highest_stack - BELOW
			   : (uint64_t)context->uc_mcontext.gregs[REG_RSP] - BELOW);
	if (splice) {
		passage->end = address;
		passage->undefined = undefined;
		passage->leftover = leftover;
		leftover = 0;
		passage->first = MIN(highest_stack - BELOW - stack, NEAR);
		trap_frame(context, &passage->frame);
		memcpy(passage->stack, (void *)(uintptr_t)stack, NEAR);
		passage++;
		if (++here->n == here->size)
			_exit(0);
	}
	splice = fact_of(address)->splice ? &woven->splices.list.data[fact_of(address)->splice - 1]
					  : NULL;
	if (splice) {
		passage->start = address;
		highest_stack = context->uc_mcontext.gregs[REG_RSP];
		stack = highest_stack - BELOW;
		memcpy(passage->before, (void *)(uintptr_t)stack, NEAR);
	}
}

static void run_plain(const struct work *work)
{
	here = plain;
	makers_begin(decoder, maker, 0);
	trap_step_begin(step);
	apart_run(work->run, 1);
	trap_step_end();
}

static void run_woven(const struct work *work)
{
	here = spliced;
	weave_arm(woven);
	makers_begin(decoder, maker, 0);
	trap_step_begin(step);
	apart_run(work->run, 1);
	trap_step_end();
}

/* ---- functions that run in the parent -------------------------------------------------------- */

static bool same_stack(const struct passage *a, const struct passage *b)
{
	for (unsigned int i = a->first; i < NEAR; i++)
		if ((a->before[i] != a->stack[i] || b->before[i] != b->stack[i]) &&
		    a->stack[i] != b->stack[i])
			return false;
	return true;
}

static const char *compare(const struct passage *a, const struct passage *b, uint32_t *tolerated)
{
	uint32_t differ;

	if (a->start != b->start || a->end != b->end)
		return "goes on elsewhere";
	differ = apart_differing(&a->frame, &b->frame, fact_of(a->end)->live, a->undefined);
	if (differ & ~*tolerated & ~a->leftover)
		return differ & WR_BIT(WR_FLAGS) ? "flags" : "registers";
	*tolerated = differ & ~WR_BIT(WR_FLAGS);
	return same_stack(a, b) ? NULL : "stack";
}

static void print_differing(const struct passage *a, const struct passage *b)
{
	const uint8_t *text = (const uint8_t *)(uintptr_t)a->start;

	print_message("text");
	for (unsigned int i = 0; i < 16; i++)
		print_message(" %02x", text[i]);
	print_message("\nregisters that differ %#x, of which from the stack %#x; "
		      "flags %#lx, woven %#lx, undefined %#x\n",
		      apart_differing(&a->frame, &b->frame, fact_of(a->end)->live, a->undefined),
		      a->leftover, a->frame.flags, b->frame.flags, a->undefined.flags);
	for (unsigned int i = a->first; i < NEAR; i++)
		if (a->stack[i] != b->stack[i])
			print_message("%d(%%rsp): %02x from %02x, with splices %02x from %02x\n",
				      (int)i - BELOW, a->stack[i], a->before[i], b->stack[i],
				      b->before[i]);
}

/*
 * Does the work without and with splices, and compares the passages. Adds the number of passages
 * without splices to *@sum. Returns NULL if all are the same. Else returns what is wrong with the
 * first that differs, or that their numbers differ, or that the child process has failed.
 */
static const char *compare_work(const struct work *work, bool quiet, size_t *sum)
{
	const char *wrong = NULL;
	uint32_t tolerated = 0;
	int status;

	plain->n = spliced->n = 0;
	plain->size = getenv("WEFT_LONG") ? PASSAGES_LONG : PASSAGES;
	plain->size /= maker == MAKER_HERE ? 1 : ELSEWHERE;
	spliced->size = plain->size;
	assert_int_equal(apart_child(run_plain, work, false), 0);
	status = apart_child(run_woven, work, quiet);
	for (size_t i = 0; i < plain->n && i < spliced->n && !wrong; i++) {
		wrong = compare(&plain->list[i], &spliced->list[i], &tolerated);
		if (wrong && !quiet)
			print_differing(&plain->list[i], &spliced->list[i]);
	}
	*sum += plain->n;
	return wrong || (!status && plain->n == spliced->n) ? wrong : "another number of passages";
}

static void create_passages(size_t size)
{
	plain = apart_shared(size);
	spliced = apart_shared(size);
}

static void destroy_passages(size_t size)
{
	munmap(plain, size);
	munmap(spliced, size);
	munmap(facts, (highest - lowest) * sizeof(*facts));
}

static const size_t passages_size = sizeof(*plain) + (PASSAGES_LONG + 1) * sizeof(plain->list[0]);

static void test_returns(void **state)
{
	struct loaded *loaded = *state;
	struct weave weave;

	create_passages(passages_size);
	woven = &weave;
	decoder = loaded->decoder;
	loaded_weave_random(loaded, &weave, 0);
	map_facts(loaded);
	for (maker = 0; maker < MAKERS; maker++) {
		size_t sum = 0;

		for (size_t i = 0; i < nr_works; i++) {
			const char *wrong = compare_work(&works[i], false, &sum);

			if (wrong)
				fail_msg("%s, processor %s: %s", works[i].name,
					 maker_names[maker], wrong);
		}
		print_message("%zu passages through trampolines of %zu works end as without, "
			      "processor %s\n",
			      sum, nr_works, maker_names[maker]);
	}
	weave_deinit(&weave);
	destroy_passages(passages_size);
}

/* If trampolines ignore the red zone, the test must notice. */
static void test_red_zone(void **state)
{
	struct loaded *loaded = *state;
	struct weave weave;
	bool found = false;
	size_t sum = 0;

	create_passages(passages_size);
	woven = &weave;
	decoder = loaded->decoder;
	maker = MAKER_HERE;
	loaded_weave_random(loaded, &weave, WR_PLATFORM_RED_ZONE);
	map_facts(loaded);
	for (size_t i = 0; i < nr_works && !found; i++)
		found = compare_work(&works[i], true, &sum);
	assert_true(found);
	weave_deinit(&weave);
	destroy_passages(passages_size);
}

static int setup(void **state)
{
	*state = loaded_create();
	return 0;
}

static int teardown(void **state)
{
	loaded_destroy(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_returns),
		cmocka_unit_test(test_red_zone),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
