// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests runtime/x86-rules.h where tests/oracle/x86-sweep.c does not: instructions that are cut off,
 * padding, wide returns, and the reasons of refusals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/x86-rules.h"

enum { ADDRESS = 0x1000 };

enum {
	MOVES = WEFT_REFUSAL_NONE,
	STAYS = WEFT_REFUSAL_UNRELOCATABLE,
	UNKNOWN = WEFT_REFUSAL_UNDECODABLE,
	BREAKPOINT = WEFT_REFUSAL_BREAKPOINT,
	ENDBR = WEFT_REFUSAL_ENDBR,
	PLAIN = WR_INSN_PLAIN,
	RIP = WR_INSN_RIP,
	JUMP_COND = WR_INSN_JUMP_COND,
	CALL_INDIRECT = WR_INSN_CALL_INDIRECT,
};

/* Instructions of @n bytes, and what must be said of them. */
static const struct {
	uint8_t n;
	uint8_t bytes[WEFT_INSN_MAX];
	uint8_t refusal, kind;
} samples[] = {
	{ 1, { 0x55 }, MOVES, PLAIN },			     /* push %rbp */
	{ 7, { 0x48, 0x8b, 0x05, 1, 2, 3, 4 }, MOVES, RIP }, /* mov 0x4030201(%rip), %rax */
	{ 8, { 0x67, 0x48, 0x8b, 0x05, 1, 2, 3, 4 }, STAYS, RIP },
	{ 10, { 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8 }, MOVES, PLAIN }, /* movabs */
	{ 11, { 0x48, 0xc7, 0x84, 0x24, 1, 2, 3, 4, 5, 6, 7 }, UNKNOWN, 0 },
	{ 12, { 0x48, 0xc7, 0x84, 0x24, 1, 2, 3, 4, 5, 6, 7, 8 }, MOVES, PLAIN },
	{ 4, { 0xc8, 1, 2, 3 }, MOVES, PLAIN }, /* enter */
	{ 2, { 0x74, 0x10 }, MOVES, JUMP_COND },
	{ 3, { 0x66, 0x74, 0x10 }, STAYS, 0 },
	{ 6, { 0x66, 0xe8, 1, 2, 3, 4 }, UNKNOWN, 0 }, /* Processors disagree on the length. */
	{ 7, { 0x66, 0x48, 0xe8, 1, 2, 3, 4 }, STAYS, 0 },
	{ 2, { 0xff, 0xd0 }, MOVES, CALL_INDIRECT },
	{ 3, { 0x66, 0xff, 0xd0 }, STAYS, 0 },
	{ 2, { 0xff, 0xd4 }, STAYS, 0 },		   /* call *%rsp */
	{ 3, { 0x41, 0xff, 0xd4 }, MOVES, CALL_INDIRECT }, /* call *%r12 */
	{ 6, { 0xc7, 0xf8, 1, 2, 3, 4 }, STAYS, 0 },	   /* xbegin */
	{ 2, { 0x8e, 0xd0 }, STAYS, 0 },		   /* mov %eax, %ss */
	{ 2, { 0x8e, 0xc0 }, MOVES, PLAIN },		   /* mov %eax, %es */
	{ 4, { 0xf3, 0x0f, 0x1e, 0xfa }, ENDBR, 0 },
	{ 2, { 0x0f, 0x0b }, BREAKPOINT, 0 },
	{ 7, { 0x0f, 0x0b, 'x', 'e', 'n', 0x0f, 0xa2 }, BREAKPOINT, 0 },
	{ 5, { 0x67, 0x0f, 0xb9, 0x40, 0x12 }, BREAKPOINT, 0 }, /* ud1 0x12(%eax), %eax */
	{ 3, { 0xf0, 0xff, 0x00 }, MOVES, PLAIN },		/* lock incl (%rax) */
	{ 3, { 0xf0, 0x74, 0x10 }, UNKNOWN, 0 },
	{ 6, { 0xf3, 0x66, 0x65, 0x2e, 0xf0, 0x90 }, UNKNOWN, 0 }, /* five prefixes */
	{ 5, { 0x8f, 0xe9, 0x78, 0x80, 0xc0 }, UNKNOWN, 0 },	   /* with an XOP prefix */
	{ 3, { 0xc5, 0xf8, 0x77 }, MOVES, PLAIN },		   /* vzeroupper */
	{ 1, { 0x06 }, UNKNOWN, 0 },
};

static enum weft_refusal relocate(const uint8_t *bytes, unsigned int size, struct wr_fields *fields,
				  struct wr_insn *insn)
{
	if (!wr_fields_read(fields, bytes, size))
		return WEFT_REFUSAL_UNDECODABLE;
	return wr_rules_relocate(fields, bytes, ADDRESS, insn);
}

static void test_refusals(void **state)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		struct wr_fields fields;
		struct wr_insn insn;

		assert_int_equal(relocate(samples[i].bytes, samples[i].n, &fields, &insn),
				 samples[i].refusal);
		if (samples[i].refusal == WEFT_REFUSAL_UNDECODABLE)
			continue;
		assert_int_equal(fields.length, samples[i].n);
		assert_int_equal(insn.length, samples[i].n);
		if (!samples[i].refusal)
			assert_int_equal(insn.kind, samples[i].kind);
	}
}

/*
 * The value of a byte after the instruction must make no difference, and a shorter size must be
 * refused.
 */
static void test_cut_off(void **state)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		struct wr_fields whole, fields;
		uint8_t bytes[2 * WEFT_INSN_MAX];

		if (!wr_fields_read(&whole, samples[i].bytes, samples[i].n))
			continue;
		memset(bytes, 0xff, sizeof(bytes));
		memcpy(bytes, samples[i].bytes, samples[i].n);
		assert_true(wr_fields_read(&fields, bytes, sizeof(bytes)));
		assert_int_equal(fields.length, whole.length);
		assert_int_equal(fields.behavior, whole.behavior);
		assert_int_equal(fields.displacement, whole.displacement);
		assert_int_equal(fields.immediate, whole.immediate);
		/* A part of a hypervisor's prefix may itself be an instruction. */
		for (unsigned int size = 0;
		     size < samples[i].n && !(whole.prefixes & WR_PREFIX_EMULATE); size++)
			assert_false(wr_fields_read(&fields, bytes, size));
	}
}

static void test_targets(void **state)
{
	static const uint8_t call[] = { 0xe8, 0xfb, 0xff, 0xff, 0xff },
			     short_jump[] = { 0xeb, 0xfe }, load[] = { 0x8b, 0x05, 0x10, 0, 0, 0 };
	struct wr_fields fields;
	struct wr_insn insn;

	assert_int_equal(relocate(call, sizeof(call), &fields, &insn), WEFT_REFUSAL_NONE);
	assert_int_equal(insn.target, ADDRESS);
	assert_true(insn.ends);
	assert_int_equal(relocate(short_jump, sizeof(short_jump), &fields, &insn),
			 WEFT_REFUSAL_NONE);
	assert_int_equal(insn.target, ADDRESS);
	assert_true(wr_leaves(&fields));
	assert_int_equal(relocate(load, sizeof(load), &fields, &insn), WEFT_REFUSAL_NONE);
	assert_int_equal(insn.target, ADDRESS + sizeof(load) + 0x10);
	assert_int_equal(insn.disp_offset, 2);
}

static enum wr_filling filling_of(const char *bytes, size_t n)
{
	struct wr_fields fields;

	assert_true(wr_fields_read(&fields, (const uint8_t *)bytes, n));
	return wr_filling_of(&fields);
}

static void test_filling(void **state)
{
	assert_int_equal(filling_of("\x90", 1), WR_FILLING_NOP);
	assert_int_equal(filling_of("\x66\x90", 2), WR_FILLING_NOP);
	assert_int_equal(filling_of("\x66\x2e\x0f\x1f\x84\0\0\0\0\0", 10), WR_FILLING_NOP);
	assert_int_equal(filling_of("\xcc", 1), WR_FILLING_INT3);
	assert_int_equal(filling_of("\xf3\x90", 2), WR_FILLING_NONE); /* pause */
	assert_int_equal(filling_of("\x49\x90", 2), WR_FILLING_NONE); /* xchg %r8, %rax */
	/* A nop that no compiler makes. */
	assert_int_equal(filling_of("\x0f\x1f\xc8", 3), WR_FILLING_NONE);
	assert_int_equal(filling_of("\xc3", 1), WR_FILLING_NONE);
}

static void test_padding(void **state)
{
	enum wr_before before = WR_BEFORE_REACHED;

	/* Control may reach the nop. */
	assert_false(wr_padding_next(&before, WR_FILLING_NOP, false, false));
	/* A return, an int3 that must stay, and padding after that int3. */
	assert_false(wr_padding_next(&before, WR_FILLING_NONE, false, true));
	assert_false(wr_padding_next(&before, WR_FILLING_INT3, false, false));
	assert_true(wr_padding_next(&before, WR_FILLING_INT3, false, false));
	assert_true(wr_padding_next(&before, WR_FILLING_NOP, false, false));
	/* A branch leads to the second nop, and control goes on from there. */
	assert_false(wr_padding_next(&before, WR_FILLING_NOP, true, false));
	assert_false(wr_padding_next(&before, WR_FILLING_NOP, false, false));
	/* A nop right after a jump is padding; one after another instruction is not. */
	assert_false(wr_padding_next(&before, WR_FILLING_NONE, false, true));
	assert_true(wr_padding_next(&before, WR_FILLING_NOP, false, false));
	assert_false(wr_padding_next(&before, WR_FILLING_NONE, false, false));
	assert_false(wr_padding_next(&before, WR_FILLING_NOP, false, false));
}

static void test_wide_return(void **state)
{
	static const uint8_t wide[] = { 0xc3, 0xcc, 0xcc, 0xcc, 0xcc },
			     narrow[] = { 0xc3, 0xcc, 0xcc, 0xcc, 0x90 };

	assert_true(wr_is_wide_return(wide, sizeof(wide)));
	assert_false(wr_is_wide_return(wide, sizeof(wide) - 1));
	assert_false(wr_is_wide_return(narrow, sizeof(narrow)));
	assert_false(wr_is_wide_return(wide + 1, sizeof(wide) - 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals), cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_targets),	 cmocka_unit_test(test_filling),
		cmocka_unit_test(test_padding),	 cmocka_unit_test(test_wide_return),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
