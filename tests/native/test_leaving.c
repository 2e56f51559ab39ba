// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests what the emitter writes for an instruction that leaves the trampoline by an address in a
 * register or in memory. The bytes and their place in a cache line must be right.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/trampoline.h"

static uint8_t memory[4096];

/*
 * Emits a return, indirect jumps and an indirect call at every offset in a cache line. An int3 must
 * follow each branch (against straight-line speculation). With WR_PLATFORM_UPPER_HALF, the branch
 * must end in the upper half of the line.
 */
static void test_leaving(void **state)
{
	enum { LINE = 64, HALF = 32, INT3 = 0xcc };
	static const struct {
		struct wr_insn insn;
		unsigned int branch; /* The length of .insn without the int3s after the branch. */
		uint8_t last; /* The last byte of the branch that is emitted. */
	} cases[] = {
		{ { .bytes = { 0xc3 }, .length = 1, .ends = 1 }, 1, 0xc3 },
		{ { .bytes = { 0xc3, INT3, INT3, INT3, INT3 }, .length = 5, .ends = 1 }, 1, 0xc3 },
		{ { .bytes = { 0xf3, 0xc3 }, .length = 2, .ends = 1 }, 2, 0xc3 },
		{ { .bytes = { 0xff, 0xe0 }, .length = 2, .ends = 1 }, 2, 0xe0 },
		{ { .bytes = { 0x41, 0xff, 0xe3 }, .length = 3, .ends = 1 }, 3, 0xe3 },
		{ { .bytes = { 0xff, 0xd0 }, .length = 2, .ends = 1, .modrm_offset = 1,
		    .kind = WR_INSN_CALL_INDIRECT }, 2, 0xe0 },
	}, *at = cases;

	for (unsigned int i = 0; at < cases + sizeof(cases) / sizeof(cases[0]); i++) {
		const struct wr_insn *insn = &at->insn;
		const struct wr_platform platform = {
			.flags = i % 2 ? WR_PLATFORM_UPPER_HALF : 0
		};
		const struct wr_trampoline trampoline = {
			.platform = &platform, .insns = insn, .nr_insns = 1
		};
		uint64_t address = 0x40000000 + i / 2 % LINE, last;
		int n = wr_trampoline_emit(memory, wr_trampoline_bound(1, 0), address,
					   &trampoline);
		const uint8_t *end;

		assert_true(n > (int)insn->length);
		end = memory + n - (insn->length - at->branch) - 1;
		last = address + (end - memory) - 1;
		assert_int_equal(*end, INT3);
		assert_int_equal(memory[n - 1], INT3);
		assert_int_equal(end[-1], at->last);
		assert_true(!(i % 2) || last & HALF);
		assert_true(i % 2 || n == (int)insn->length + 1 + (insn->kind ? 5 : 0));
		at += i % (2 * LINE) == 2 * LINE - 1;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_leaving),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
