// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests which instructions a jump may displace, and each reason why it may not displace more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "splice/displaced.h"

#define START 0xffffffff81000000ull
#define NR(array) (sizeof(array) / sizeof((array)[0]))

struct setup {
	struct wv_decoder *decoder;
	struct wv_displaceable *displaceable;
};

static void build(struct setup *setup, const struct wv_function_info *function,
		  const uint64_t *outside, size_t nr_outside)
{
	struct wv_error error = { 0 };

	assert_int_equal(wv_decoder_create(&setup->decoder, &error), 0);
	assert_int_equal(wv_displaceable_create(function, outside, nr_outside, setup->decoder,
					   &setup->displaceable, &error), 0);
}

static void drop(struct setup *setup)
{
	wv_displaceable_destroy(setup->displaceable);
	wv_decoder_destroy(setup->decoder);
}

static void expect(const struct setup *setup, size_t offset, enum wv_displace_answer answer,
		   unsigned int length, unsigned int instructions)
{
	struct wv_displaced displaced;

	wv_displaced_at(setup->displaceable, START + offset, &displaced);
	assert_int_equal(displaced.answer, answer);
	assert_int_equal(displaced.length, length);
	assert_int_equal(displaced.instructions, instructions);
}

static struct wv_function_info compiled(const uint8_t *bytes, size_t size)
{
	return (struct wv_function_info){
		.start = START, .bytes = bytes, .size = size, .compiled = true
	};
}

static const uint8_t straight[] = {
	0xf3, 0x0f, 0x1e, 0xfa,	      /*  0 endbr64 */
	0x55,			      /*  4 push %rbp */
	0x48, 0x89, 0xe5,	      /*  5 mov %rsp,%rbp */
	0x53,			      /*  8 push %rbx */
	0xb8, 1, 0, 0, 0,	      /*  9 mov $1,%eax */
	0x85, 0xff,		      /* 14 test %edi,%edi */
	0x74, 0x07,		      /* 16 je 25 */
	0x48, 0x31, 0xc0,	      /* 18 xor %rax,%rax */
	0xff, 0xd6,		      /* 21 call *%rsi */
	0x89, 0xc3,		      /* 23 mov %eax,%ebx */
	0x5b,			      /* 25 pop %rbx */
	0x5d,			      /* 26 pop %rbp */
	0xc3,			      /* 27 ret */
	0xcc, 0xcc, 0xcc, 0xcc, 0xcc, /* 28 int3 */
};

static void test_straight(void **state)
{
	struct wv_function_info function = compiled(straight, sizeof(straight));
	struct setup setup;

	build(&setup, &function, NULL, 0);
	expect(&setup, 0, WV_DISPLACE_ENDBR, 4, 1);
	expect(&setup, 4, WV_DISPLACE_FITS, 5, 3);
	expect(&setup, 5, WV_DISPLACE_FITS, 9, 3);
	expect(&setup, 9, WV_DISPLACE_FITS, 5, 1);
	expect(&setup, 14, WV_DISPLACE_FITS, 7, 3); /* The range goes over a conditional branch. */
	/* The call is the last instruction of the range. */
	expect(&setup, 18, WV_DISPLACE_FITS, 5, 2);
	expect(&setup, 21, WV_DISPLACE_RETURN, 2, 1);
	expect(&setup, 23, WV_DISPLACE_BRANCH_TARGET, 2, 1);
	expect(&setup, 25, WV_DISPLACE_END, 1, 1);
	expect(&setup, 27, WV_DISPLACE_END, 1, 1);
	expect(&setup, 6, WV_DISPLACE_BOUNDARY, 0, 0);
	expect(&setup, sizeof(straight), WV_DISPLACE_BOUNDARY, 0, 0);
	expect(&setup, (size_t)-1, WV_DISPLACE_BOUNDARY, 0, 0);
	drop(&setup);
}

static void test_outside(void **state)
{
	static const uint64_t outside[] = { START + 5, START + 9, START + 11, START - 1 };
	struct wv_function_info function = compiled(straight, sizeof(straight));
	struct setup setup;

	build(&setup, &function, outside, NR(outside));
	expect(&setup, 4, WV_DISPLACE_BRANCH_TARGET, 1, 1);
	expect(&setup, 5, WV_DISPLACE_BRANCH_TARGET, 3, 1);
	/* A branch leads into the middle of one instruction. */
	expect(&setup, 9, WV_DISPLACE_BRANCH_TARGET, 5, 1);
	expect(&setup, 14, WV_DISPLACE_FITS, 7, 3);
	drop(&setup);
}

static void test_rewritten(void **state)
{
	/* A fault at 8 goes on at 16, and an alternative of two bytes is at 22, inside the call. */
	static const struct wv_rewritten rewritten[] = {
		{ .address = START + 8, .target = START + 16 },
		{ .address = START + 22, .size = 2 },
	};
	struct wv_function_info function = compiled(straight, sizeof(straight));
	struct setup setup;

	function.rewritten = rewritten;
	function.nr_rewritten = NR(rewritten);
	build(&setup, &function, NULL, 0);
	expect(&setup, 4, WV_DISPLACE_OWNED, 1, 1);
	expect(&setup, 8, WV_DISPLACE_OWNED, 1, 1);
	expect(&setup, 9, WV_DISPLACE_FITS, 5, 1);
	expect(&setup, 14, WV_DISPLACE_BRANCH_TARGET, 2, 1);
	/* The fixup leads to the first byte of the range. */
	expect(&setup, 16, WV_DISPLACE_FITS, 5, 2);
	expect(&setup, 18, WV_DISPLACE_OWNED, 3, 1);
	expect(&setup, 23, WV_DISPLACE_OWNED, 2, 1);
	drop(&setup);
}

/* If control may enter anywhere, a displaced range may only be one instruction. */
static void expect_degraded(const struct wv_function_info *function)
{
	struct setup setup;

	build(&setup, function, NULL, 0);
	expect(&setup, 0, WV_DISPLACE_UNKNOWN, 1, 1);
	expect(&setup, 1, WV_DISPLACE_FITS, 5, 1);
	drop(&setup);
}

static void test_degraded(void **state)
{
	/*
	 * push %rbp; mov $1,%eax; then in turn jmp *%rax, a byte that is no instruction, and ret.
	 */
	static const uint8_t jump[] = { 0x55, 0xb8, 1, 0, 0, 0, 0xff, 0xe0 };
	static const uint8_t bad[] = { 0x55, 0xb8, 1, 0, 0, 0, 0x06 };
	static const uint8_t whole[] = { 0x55, 0xb8, 1, 0, 0, 0, 0xc3 };
	struct wv_function_info function = compiled(jump, sizeof(jump));
	struct setup setup;

	expect_degraded(&function);
	function = compiled(bad, sizeof(bad));
	expect_degraded(&function);
	function = compiled(whole, sizeof(whole));
	function.compiled = false;
	expect_degraded(&function);
	function.compiled = true;
	build(&setup, &function, NULL, 0);
	expect(&setup, 0, WV_DISPLACE_FITS, 6, 2);
	drop(&setup);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_straight),
		cmocka_unit_test(test_outside),
		cmocka_unit_test(test_rewritten),
		cmocka_unit_test(test_degraded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
