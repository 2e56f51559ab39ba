// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the trampolines of around-advice, which runs instead of a function and may call it. The
 * advice calls the function not at all, once and twice, with other arguments, and returns another
 * result. Two such advices nest, and before-advice runs outside and inside of them. The function's
 * result, the stack pointer and the registers that a function must preserve are checked. At last a
 * jump is written over the code that calls the advice, as weft.ko does when the advice is taken
 * out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <asm/prctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/encode.h"
#include "runtime/frame.h"
#include "runtime/trampoline.h"
#include "call-with-marks.h"

enum { ROOM = 4096, FIRST = 4, COVERED = 8 };

/*
 * long function(long a, long b, long c, long d, long e, long f): counts its runs, and computes a
 * sum of its arguments.
 */
asm(".text\n"
    "function:	lea (%rdi,%rsi,2), %rax\n" /* FIRST bytes long */
    "		add $0x7f, %rax\n"	   /* ends at byte COVERED */
    "		add %rdx, %rax\n"
    "		add %rcx, %rax\n"
    "		add %r8, %rax\n"
    "		lea (%rax,%r9,4), %rax\n"
    "		incl %gs:runs\n"
    "		ret\n"
    "function_end:\n"
    ".set runs, 8\n");
extern uint8_t function[], function_end[];

typedef long (*six)(long a, long b, long c, long d, long e, long f);

static __thread struct cpu {
	int32_t preempt_count;
	int32_t unused;
	int32_t runs; /* How often function() has run; it counts at %gs:8. */
	int64_t guard;
	uint64_t hits, missed, inner_hits;
} cpu;

static uint8_t *memory;
static six original[2]; /* What outer() and inner() call. */
static int entered[2];	/* How often outer() and inner() ran. */
static int times;	/* How often outer() calls original[0]. */

/*
 * The outer advice calls the function `times` times, each time with another first argument, and
 * returns the sum of the results plus 1. If `times` is 0, it returns 42.
 */
static long outer(long a, long b, long c, long d, long e, long f)
{
	long sum = 0;

	entered[0]++;
	if (!times)
		return 42;
	for (int i = 0; i < times; i++)
		sum += original[0](a + i, b, c, d, e, f);
	return sum + 1;
}

static long inner(long a, long b, long c, long d, long e, long f)
{
	entered[1]++;
	return original[1](a, b, c, d, e, f + 1);
}

__attribute__((force_align_arg_pointer)) static void before(struct weft_frame *frame,
							     unsigned long shadow)
{
	asm volatile("mov $-1, %%rax; mov %%rax, %%rcx; mov %%rax, %%rdx; mov %%rax, %%rsi;"
		     "mov %%rax, %%rdi; mov %%rax, %%r8; mov %%rax, %%r9; mov %%rax, %%r10;"
		     "mov %%rax, %%r11" ::: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10",
		     "r11", "cc", "memory");
}

static long plain(long a, long b, long c, long d, long e, long f)
{
	return a + 2 * b + 0x7f + c + d + e + 4 * f;
}

static struct wr_platform platform = {
	.preempt_count = offsetof(struct cpu, preempt_count),
	.guard = offsetof(struct cpu, guard),
	.context_mask = 0xff0000,
	.flags = WR_PLATFORM_COUNTS | WR_PLATFORM_RED_ZONE,
};

/* The trampoline's advices. Their code is below 2 GiB (-no-pie), within its reach. */
static struct wr_call calls[4];

/*
 * Weaves a copy of the function with @n of the calls, and returns the length of its trampoline,
 * which begins at memory + ROOM / 2.
 */
static int weave(unsigned int n, uint32_t flags)
{
	struct wr_insn insns[2] = { 0 };
	const struct wr_trampoline trampoline = { .platform = &platform, .insns = insns,
						  .nr_insns = 2, .calls = calls, .nr_calls = n };
	uint8_t *to = memory + ROOM / 2;
	int32_t distance;
	int length;

	platform.flags = WR_PLATFORM_COUNTS | WR_PLATFORM_RED_ZONE | flags;
	memcpy(memory, function, function_end - function);
	for (unsigned int i = 0; i < 2; i++) {
		insns[i].address = (uintptr_t)memory + i * FIRST;
		insns[i].length = FIRST;
		memcpy(insns[i].bytes, function + i * FIRST, FIRST);
	}
	length = wr_trampoline_emit(to, ROOM / 2, (uintptr_t)to, &trampoline);
	assert_true(length > 0 && (unsigned int)length <= wr_trampoline_bound(2, n));
	distance = to - (memory + WEFT_JUMP_SIZE);
	memory[0] = 0xe9;
	memcpy(memory + 1, &distance, sizeof(distance));
	return length;
}

static struct wr_call around_by(six advice)
{
	return (struct wr_call){ .around = (uintptr_t)advice, .live = WEFT_LIVE_UNKNOWN };
}

static struct wr_call counter(uint64_t *hits, uint32_t at)
{
	return (struct wr_call){ .live = WEFT_LIVE_UNKNOWN, .at = at,
				 .hits = (uintptr_t)hits - (uintptr_t)&cpu };
}

static six original_of(unsigned int call)
{
	return (six)(memory + ROOM / 2 + calls[call].original);
}

static long run(void)
{
	static const long arguments[] = { 3, 50, 700, 1100, 13000, 170000 };

	cpu.runs = entered[0] = entered[1] = 0;
	cpu.hits = cpu.inner_hits = 0;
	return call_with_marks(memory, arguments);
}

static void test_one(void **state)
{
	const long once = plain(3, 50, 700, 1100, 13000, 170000);

	for (uint32_t flags = 0; flags <= WR_PLATFORM_ENDBR; flags += WR_PLATFORM_ENDBR) {
		calls[0] = around_by(outer);
		weave(1, flags);
		original[0] = original_of(0);
		times = 0;
		assert_int_equal(run(), 42);
		assert_int_equal(cpu.runs, 0);
		times = 1;
		assert_int_equal(run(), once + 1);
		assert_int_equal(cpu.runs, 1);
		times = 2;
		assert_int_equal(run(), 2 * once + 1 + 1);
		assert_int_equal(cpu.runs, 2);
		assert_int_equal(entered[0], 1);
	}
}

/*
 * Advice before the around-advice must run once at each call of the function. Advice that is inside
 * of the around-advice must run as often as the around-advice calls the function.
 */
static void test_nested(void **state)
{
	const long once = plain(3, 50, 700, 1100, 13000, 170001);

	for (unsigned int by_c = 0; by_c < 2; by_c++) {
		calls[0] = counter(&cpu.hits, 0);
		if (by_c) {
			calls[0].entry = (uintptr_t)before;
			calls[0].missed = offsetof(struct cpu, missed);
		}
		calls[1] = around_by(outer);
		calls[2] = around_by(inner);
		calls[3] = counter(&cpu.inner_hits, 0);
		weave(4, 0);
		original[0] = original_of(1);
		original[1] = original_of(2);
		for (times = 0; times < 4; times++) {
			long wanted = times ? 1 : 42;

			for (int i = 0; i < times; i++)
				wanted += once + i;
			assert_int_equal(run(), wanted);
			assert_int_equal(cpu.runs, times);
			assert_int_equal(entered[0], 1);
			assert_int_equal(entered[1], times);
			assert_int_equal(cpu.hits, 1);
			assert_int_equal(cpu.inner_hits, times);
		}
		assert_int_equal(cpu.guard, WR_GUARD_IDLE);
		assert_int_equal(cpu.preempt_count, 0);
	}
}

/*
 * wr_trampoline_skip() writes a jump over the code of one advice. Then the function must run
 * without this advice, and the other advice must still run.
 */
static void test_skipped(void **state)
{
	calls[0] = around_by(outer);
	calls[1] = around_by(inner);
	weave(2, WR_PLATFORM_ENDBR);
	original[0] = original_of(0);
	original[1] = original_of(1);
	times = 1;
	wr_trampoline_skip(memory + ROOM / 2, &calls[0]);
	assert_int_equal(run(), plain(3, 50, 700, 1100, 13000, 170001));
	assert_int_equal(entered[0], 0);
	assert_int_equal(entered[1], 1);
	wr_trampoline_skip(memory + ROOM / 2, &calls[1]);
	assert_int_equal(run(), plain(3, 50, 700, 1100, 13000, 170000));
	assert_int_equal(entered[1], 0);
}

/*
 * Tests a splice that is a call: the function's first instruction is `call function`, and `add
 * $ADDED, %rax` and a return follow it. The advice must take the place of all of it, and not of the
 * call alone.
 */
static void test_called(void **state)
{
	enum { ADDED = 0x1000, CALL = 5 };
	static const uint8_t rest[] = { 0x48, 0x05, 0x00, ADDED >> 8, 0x00, 0x00, 0xc3 };
	const long once = plain(3, 50, 700, 1100, 13000, 170001) + ADDED;
	const struct wr_insn insn = { .address = (uintptr_t)memory, .length = CALL,
				      .kind = WR_INSN_CALL, .target = (uintptr_t)function };
	const struct wr_trampoline trampoline = { .platform = &platform, .insns = &insn,
						  .nr_insns = 1, .calls = calls, .nr_calls = 4,
						  .flags = WR_TRAMPOLINE_CALLED };
	uint8_t *to = memory + ROOM / 2;
	const int32_t distance = to - (memory + CALL);

	calls[0] = counter(&cpu.hits, 0);
	calls[1] = around_by(outer);
	calls[2] = around_by(inner);
	calls[3] = counter(&cpu.inner_hits, 0);
	platform.flags = WR_PLATFORM_COUNTS | WR_PLATFORM_ENDBR;
	assert_in_range(wr_trampoline_emit(to, ROOM / 2, (uintptr_t)to, &trampoline), 1,
			wr_trampoline_bound(1, 4));
	memory[0] = 0xe8;
	memcpy(memory + 1, &distance, sizeof(distance));
	memcpy(memory + CALL, rest, sizeof(rest));
	original[0] = original_of(1);
	original[1] = original_of(2);
	for (times = 0; times < 3; times++) {
		assert_int_equal(run(), times == 0 ? 42 : times == 1 ? once + 1 : 2 * once + 2);
		assert_int_equal(cpu.runs, times);
		assert_int_equal(cpu.hits, 1);
		assert_int_equal(cpu.inner_hits, times);
	}
	wr_trampoline_skip(to, &calls[1]);
	assert_int_equal(run(), once);
	wr_trampoline_skip(to, &calls[2]);
	assert_int_equal(run(), once - 4);
	assert_int_equal(entered[0] + entered[1], 0);
}

/*
 * Tests the code that replaces a trampoline when the text is restored while a task is still inside
 * the advice: if the advice then calls the function, the call must lead to the original function.
 */
static void test_exit(void **state)
{
	uint8_t *at = memory + ROOM / 2;

	memcpy(memory, function, function_end - function);
	assert_in_range(wr_trampoline_exit(at, ROOM / 2, (uintptr_t)at, (uintptr_t)memory), 1,
			WR_TRAMPOLINE_EXIT);
	assert_int_equal(((six)at)(1, 2, 3, 4, 5, 6), plain(1, 2, 3, 4, 5, 6));
	assert_int_equal(wr_trampoline_exit(at, WR_SIZE_JUMP, (uintptr_t)at,
					    (uintptr_t)memory), -WR_TRAMPOLINE_ROOM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_skipped),
		cmocka_unit_test(test_called),
		cmocka_unit_test(test_exit),
	};

	memory = mmap(NULL, ROOM, PROT_READ | PROT_WRITE | PROT_EXEC,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (memory == MAP_FAILED || syscall(SYS_arch_prctl, ARCH_SET_GS, &cpu))
		return 1;
	cpu.guard = WR_GUARD_IDLE;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
