// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests splice/live-plan.c, which makes the plan of a weave. The kind of each splice must follow
 * from its displaced range and the live bytes; the plan must be sorted as weft.ko requires; a
 * displaced range that weft.ko refuses must be replaced with the shadow's own instruction; and
 * splices that stay refused must be taken out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "splice/live-plan.h"
#include "splice/refusal.h"

/*
 * push %rbp; mov %rsp,%rbp; call +0; ret; a byte that is no instruction in 64-bit mode; the
 * beginning of a five-byte instruction, in which the text ends.
 */
static const uint8_t text[] = { 0x55, 0x48, 0x89, 0xe5, 0xe8, 0, 0, 0, 0, 0xc3, 0x06, 0xe9, 0, 0 };

#define TEXT_ADDRESS 0xffffffff81000000ull

static int read_text(void *context, uint64_t address, void *buffer, size_t size,
		     struct wv_error *error)
{
	if (address < TEXT_ADDRESS || address + size > TEXT_ADDRESS + sizeof(text))
		return wv_fail(error, WV_E_REFUSED, "outside");
	memcpy(buffer, text + (address - TEXT_ADDRESS), size);
	return 0;
}

static const struct wv_text_reader reader = {
	.read = read_text,
};

static const struct wv_plan_part part = { .base = TEXT_ADDRESS,
					  .end = TEXT_ADDRESS + sizeof(text) };

/* Returns the input of a plan: @joinpoints, and the text that @reader reads. */
static struct wv_plan_source source_of(const struct weft_joinpoint *joinpoints, size_t n)
{
	return (struct wv_plan_source){ .joinpoints = joinpoints,
					.n = n,
					.parts = &part,
					.reader = &reader };
}

static struct wv_plan make(const struct weft_joinpoint *joinpoints, size_t n)
{
	const struct wv_plan_source source = source_of(joinpoints, n);
	struct wv_error error = { 0 };
	struct wv_plan plan;

	assert_int_equal(wv_plan_make(&source, &plan, &error), 0);
	assert_int_equal(plan.splices.n, n);
	return plan;
}

static void test_lengths_and_bytes(void **state)
{
	const struct weft_joinpoint joinpoints[] = { { .text_offset = 0 },
						     { .text_offset = 1 },
						     { .text_offset = 4 },
						     { .text_offset = 9 } };
	const unsigned int lengths[] = { 1, 3, 5, 1 };
	const unsigned int kinds[] = { WEFT_SPLICE_TRAP, WEFT_SPLICE_TRAP, WEFT_SPLICE_CALL,
				       WEFT_SPLICE_TRAP };
	struct wv_plan plan = make(joinpoints, 4);

	for (size_t i = 0; i < 4; i++) {
		const struct weft_splice *splice = &plan.splices.data[i];

		assert_int_equal(splice->refusal, WEFT_REFUSAL_NONE);
		assert_int_equal(splice->kind, kinds[i]);
		assert_int_equal(splice->length, lengths[i]);
		assert_memory_equal(splice->old, text + joinpoints[i].text_offset, lengths[i]);
		for (size_t rest = lengths[i]; rest < sizeof(splice->old); rest++)
			assert_int_equal(splice->old[rest], 0);
	}
	wv_plan_deinit(&plan);
}

static void test_order(void **state)
{
	const struct weft_joinpoint joinpoints[] = { { .text_offset = 9 }, { .text_offset = 0 },
						     { .text_offset = 4 }, { .text_offset = 0 } };
	const unsigned int order[] = { 1, 3, 2, 0 };
	struct wv_plan plan = make(joinpoints, 4);

	for (size_t i = 0; i < 4; i++)
		assert_int_equal(plan.splices.data[i].joinpoint, order[i]);
	wv_plan_deinit(&plan);
}

/*
 * The call and the mov are shadows in one displaced range, which has the push, the mov and the
 * call; the last range ends inside the call.
 */
static const struct weft_joinpoint ranged[] = {
	{ .text_offset = 4, .before = 4, .displaced = 9 },
	{ .text_offset = 1, .before = 1, .displaced = 9 },
	{ .text_offset = 0, .displaced = 8 },
};

static void test_displaceable(void **state)
{
	const struct wv_plan_source source = source_of(&ranged[2], 1);
	struct wv_plan plan = make(ranged, 2);
	struct wv_error error;
	bool narrowed;

	for (size_t i = 0; i < 2; i++) {
		const struct weft_splice *splice = &plan.splices.data[i];

		assert_int_equal(splice->address, TEXT_ADDRESS);
		assert_int_equal(splice->kind, WEFT_SPLICE_JUMP);
		assert_int_equal(splice->length, 9);
		assert_int_equal(splice->joinpoint, !i);
		assert_memory_equal(splice->old, text, 9);
	}
	wv_plan_deinit(&plan);
	/* If a range does not fit the live text any more, weft.ko refuses its splice. */
	plan = make(&ranged[2], 1);
	assert_int_equal(plan.splices.data[0].kind, WEFT_SPLICE_JUMP);
	plan.splices.data[0].refusal = WEFT_REFUSAL_KIND;
	assert_int_equal(wv_plan_narrow(&source, &plan, &narrowed, &error), 0);
	assert_true(narrowed);
	assert_int_equal(plan.splices.data[0].kind, WEFT_SPLICE_TRAP);
	assert_int_equal(plan.splices.data[0].length, 1);
	wv_plan_deinit(&plan);
}

/*
 * The call is not displaced: the displaced range ends before it, and has at least the size of a
 * jump unless its splice is a trap.
 */
static void test_attach_before(void **state)
{
	const struct weft_joinpoint joinpoints[] = {
		{ .text_offset = 4, .before = 3, .displaced = 3 },
		{ .text_offset = 9, .before = 9, .displaced = 9 }
	};
	const struct wv_plan_source source = source_of(joinpoints, 2);
	struct wv_plan plan = make(joinpoints, 2);
	struct wv_error error;
	bool narrowed;

	assert_int_equal(plan.splices.data[0].address, TEXT_ADDRESS);
	assert_int_equal(plan.splices.data[0].kind, WEFT_SPLICE_JUMP);
	assert_int_equal(plan.splices.data[0].length, 9);
	assert_int_equal(plan.splices.data[1].address, TEXT_ADDRESS + 1);
	assert_int_equal(plan.splices.data[1].kind, WEFT_SPLICE_TRAP);
	assert_int_equal(plan.splices.data[1].length, 3);
	/*
	 * If weft.ko refuses that range, the plan must have the shadow's own instruction instead.
	 * weft.ko will refuse that as well, and its reason is the one that counts.
	 */
	plan.splices.data[1].refusal = WEFT_REFUSAL_BRANCH_TARGET;
	assert_int_equal(wv_plan_narrow(&source, &plan, &narrowed, &error), 0);
	assert_true(narrowed);
	assert_int_equal(plan.splices.data[1].address, TEXT_ADDRESS + 4);
	assert_int_equal(plan.splices.data[1].length, 5);
	assert_int_equal(plan.splices.data[1].refusal, WEFT_REFUSAL_NONE);
	assert_int_equal(plan.narrowed[WEFT_REFUSAL_BRANCH_TARGET], 1);
	wv_plan_deinit(&plan);
}

static void test_springboards(void **state)
{
	const struct weft_joinpoint joinpoints[] = {
		{ .text_offset = 1, .displaced = 3, .slot = -60 },
		{ .text_offset = 0, .displaced = 1, .slot = 9 }
	};
	const struct wv_plan_source source = source_of(joinpoints, 1);
	struct wv_plan plan = make(joinpoints, 2);
	struct wv_error error;
	bool narrowed;

	/* There is no room for a short jump. */
	assert_int_equal(plan.splices.data[0].kind, WEFT_SPLICE_TRAP);
	assert_int_equal(plan.splices.data[0].slot, 0);
	wv_plan_deinit(&plan);
	plan = make(joinpoints, 1);
	assert_int_equal(plan.splices.data[0].kind, WEFT_SPLICE_SPRINGBOARD);
	assert_int_equal(plan.splices.data[0].slot, -60);
	assert_int_equal(plan.splices.data[0].length, 3);
	plan.splices.data[0].refusal = WEFT_REFUSAL_SLOT;
	assert_int_equal(wv_plan_narrow(&source, &plan, &narrowed, &error), 0);
	assert_true(narrowed);
	assert_int_equal(plan.splices.data[0].kind, WEFT_SPLICE_TRAP);
	assert_int_equal(plan.splices.data[0].slot, 0);
	wv_plan_deinit(&plan);
}

static void test_traps(void **state)
{
	const struct wv_plan_source source = { ranged, 3, &part, &reader, .traps = true };
	const unsigned int lengths[] = { 1, 3, 5 };
	struct wv_error error;
	struct wv_plan plan;

	assert_int_equal(wv_plan_make(&source, &plan, &error), 0);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(plan.splices.data[i].kind, WEFT_SPLICE_TRAP);
		assert_int_equal(plan.splices.data[i].length, lengths[i]);
	}
	wv_plan_deinit(&plan);
}

static void test_narrow(void **state)
{
	const struct wv_plan_source source = source_of(ranged, 2);
	struct wv_plan plan = make(ranged, 2);
	struct wv_error error;
	bool narrowed;

	assert_int_equal(wv_plan_narrow(&source, &plan, &narrowed, &error), 0);
	assert_false(narrowed);
	plan.splices.data[0].refusal = plan.splices.data[1].refusal = WEFT_REFUSAL_BRANCH_TARGET;
	assert_int_equal(wv_plan_narrow(&source, &plan, &narrowed, &error), 0);
	assert_true(narrowed);
	assert_int_equal(plan.narrowed[WEFT_REFUSAL_BRANCH_TARGET], 2);
	assert_int_equal(plan.splices.data[0].address, TEXT_ADDRESS + 1);
	assert_int_equal(plan.splices.data[0].kind, WEFT_SPLICE_TRAP);
	assert_int_equal(plan.splices.data[0].length, 3);
	assert_int_equal(plan.splices.data[0].old[3], 0);
	assert_int_equal(plan.splices.data[1].kind, WEFT_SPLICE_CALL);
	/* If the splice of a single instruction was refused, it must stay refused. */
	plan.splices.data[0].refusal = WEFT_REFUSAL_FTRACE;
	assert_int_equal(wv_plan_narrow(&source, &plan, &narrowed, &error), 0);
	assert_false(narrowed);
	assert_int_equal(plan.splices.data[0].refusal, WEFT_REFUSAL_FTRACE);
	wv_plan_deinit(&plan);
}

static void test_refusals_leave_the_plan(void **state)
{
	const struct weft_joinpoint joinpoints[] = {
		{ .text_offset = 10 },		 /* Not an instruction in 64-bit mode. */
		{ .text_offset = 1 },		 /* A good instruction. */
		{ .text_offset = 11 },		 /* The end of the text cuts it off. */
		{ .text_offset = sizeof(text) }, /* The offset is after the end of the text. */
		{ .text_offset = -8ull },	 /* The offset is before the text. */
	};
	struct wv_plan plan = make(joinpoints, 5), refused = { 0 };
	unsigned int reasons[5];
	struct wv_error error;

	assert_int_equal(wv_plan_drop_refused(&plan, &refused, &error), 0);
	assert_int_equal(plan.splices.n, 1);
	assert_int_equal(plan.splices.data[0].joinpoint, 1);
	assert_int_equal(refused.splices.n, 4);
	wv_vec_for_each(splice, &refused.splices)
		reasons[splice->joinpoint] = splice->refusal;
	assert_int_equal(reasons[0], WEFT_REFUSAL_UNDECODABLE);
	assert_int_equal(reasons[2], WEFT_REFUSAL_UNDECODABLE);
	assert_int_equal(reasons[3], WEFT_REFUSAL_NOT_TEXT);
	assert_int_equal(reasons[4], WEFT_REFUSAL_NOT_TEXT);
	wv_plan_deinit(&plan);
	wv_plan_deinit(&refused);
}

/*
 * Returns what becomes of element @asked of a plan whose element @refused is refused. The plan has
 * calls that are noted, and advice where these calls return.
 */
static enum weft_refusal refuse_one(size_t refused, size_t asked)
{
	static const struct weft_joinpoint joinpoints[] = {
		{ .text_offset = 1 },
		{ .text_offset = 4, .advice = 0, .when = WEFT_BEFORE },
		{ .text_offset = 4, .advice = 1, .when = WEFT_CALLING, .returns = 5 },
		{ .text_offset = 4, .advice = 2, .when = WEFT_CALLING, .returns = 5 },
		{ .text_offset = 9, .advice = 1, .when = WEFT_RETURNED, .returns = 5 },
		{ .text_offset = 9, .advice = 2, .when = WEFT_RETURNED, .returns = 5 },
		{ .text_offset = 9, .advice = 3, .when = WEFT_RETURNED },
		/* The aspect has no call that returns there. */
		{ .text_offset = 9, .advice = 4, .when = WEFT_RETURNED, .returns = 5 },
	};
	enum { N = sizeof(joinpoints) / sizeof(*joinpoints) };
	const struct wv_plan_source source = source_of(joinpoints, N);
	struct wv_plan plan = make(joinpoints, N);
	enum weft_refusal ret;
	struct wv_error error;

	if (refused < N)
		plan.splices.data[refused].refusal = WEFT_REFUSAL_FTRACE;
	assert_int_equal(wv_plan_refuse_partners(&source, &plan, &error), 0);
	assert_int_equal(plan.splices.data[asked].joinpoint, asked);
	assert_int_equal(plan.splices.data[N - 1].refusal, WEFT_REFUSAL_JOINS);
	ret = plan.splices.data[asked].refusal;
	wv_plan_deinit(&plan);
	return ret;
}

/*
 * If the splice of a call is refused, that of its return must be refused as well, and the other way
 * round.
 */
static void test_partners(void **state)
{
	const size_t none = -1;

	for (size_t i = 0; i < 7; i++)
		assert_int_equal(refuse_one(none, i), WEFT_REFUSAL_NONE);
	assert_int_equal(refuse_one(2, 4), WEFT_REFUSAL_JOINS);
	assert_int_equal(refuse_one(4, 2), WEFT_REFUSAL_JOINS);
	assert_int_equal(refuse_one(3, 5), WEFT_REFUSAL_JOINS);
	/* The refused element keeps its own reason, and the elements of other calls stay. */
	assert_int_equal(refuse_one(2, 2), WEFT_REFUSAL_FTRACE);
	assert_int_equal(refuse_one(2, 5), WEFT_REFUSAL_NONE);
	assert_int_equal(refuse_one(2, 1), WEFT_REFUSAL_NONE);
	assert_int_equal(refuse_one(2, 6), WEFT_REFUSAL_NONE);
}

static void test_refusals_have_words(void **state)
{
	for (unsigned int i = 0; i < WEFT_REFUSAL_COUNT; i++) {
		assert_true(strlen(wv_refusal_name(i)) > 3);
		for (unsigned int other = 0; other < i; other++)
			assert_string_not_equal(wv_refusal_name(i), wv_refusal_name(other));
	}
	assert_string_equal(wv_refusal_name(WEFT_REFUSAL_COUNT), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lengths_and_bytes),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_displaceable),
		cmocka_unit_test(test_springboards), cmocka_unit_test(test_attach_before),
		cmocka_unit_test(test_traps),
		cmocka_unit_test(test_narrow),
		cmocka_unit_test(test_refusals_leave_the_plan),
		cmocka_unit_test(test_partners),
		cmocka_unit_test(test_refusals_have_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
