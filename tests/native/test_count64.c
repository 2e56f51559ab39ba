// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests trampolines on a kernel whose preemption count has 64 bits, as in 7.3: when they must
 * reschedule, and in which contexts a hit must run advice while other advice is running.
 * test_trampoline.c tests the layout of 32 bits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <asm/prctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/frame.h"
#include "runtime/trampoline.h"

/* The lowest bit of each count in the preemption count of 7.3. */
enum { SOFTIRQ = 0x100, IRQ = 0x1000000, NMI = 0x10000000 };

/*
 * Has the variables that are per CPU in a kernel; %gs points here. reschedule(), which is
 * assembler, uses the offset of .rescheduled as a number.
 */
static struct {
	uint64_t rescheduled;
	int64_t preempt_count;
	uint64_t guard, hits, missed;
} cpu;

extern const uint8_t displaced[], reschedule[], advice[];
asm(".text\n"
    "displaced:	lea (%rdi,%rsi,2), %rax\n"
    "		ret\n"
    "reschedule:	incq %gs:0\n"
    "advice:	ret\n");

static long (*woven)(long a, long b);

static int set_up(void **state)
{
	const struct wr_platform platform = {
		.preempt_count = (uintptr_t)&cpu.preempt_count - (uintptr_t)&cpu,
		.guard = (uintptr_t)&cpu.guard - (uintptr_t)&cpu,
		.reschedule = (uintptr_t)reschedule,
		.context_mask = 15u * NMI | 15 * IRQ | SOFTIRQ,
		.flags = WR_PLATFORM_COUNTS | WR_PLATFORM_COUNT64,
	};
	struct wr_insn insn = { .length = 4,
				.kind = WR_INSN_PLAIN,
				.address = (uintptr_t)displaced };
	struct wr_call call = { .entry = (uintptr_t)advice,
				.shadow = 1,
				.hits = (uintptr_t)&cpu.hits - (uintptr_t)&cpu,
				.missed = (uintptr_t)&cpu.missed - (uintptr_t)&cpu,
				.live = WEFT_LIVE_UNKNOWN };
	const struct wr_trampoline trampoline = {
		.platform = &platform, .insns = &insn, .nr_insns = 1, .calls = &call, .nr_calls = 1
	};
	const __u32 bound = wr_trampoline_bound(1, 1);
	uint8_t *memory = mmap(NULL, bound, PROT_READ | PROT_WRITE | PROT_EXEC,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	memcpy(insn.bytes, displaced, insn.length);
	if (memory == MAP_FAILED ||
	    wr_trampoline_emit(memory, bound, (uintptr_t)memory, &trampoline) < 0)
		return -1;
	woven = (void *)memory;
	return syscall(SYS_arch_prctl, ARCH_SET_GS, &cpu);
}

/* Makes a hit with the preemption count @count, as if advice with the guard @guard were running. */
static void hit(uint64_t guard, int64_t count)
{
	memset(&cpu, 0, sizeof(cpu));
	cpu.guard = guard;
	cpu.preempt_count = count;
	assert_int_equal(woven(3, 4), 11);
	assert_true(cpu.guard == guard);
	assert_true(cpu.preempt_count == count);
}

/* A count of 0 makes a trampoline reschedule: bit 63 is set unless rescheduling is due. */
static void test_reschedule(void **state)
{
	hit(WR_GUARD_IDLE, INT64_MIN);
	assert_int_equal(cpu.rescheduled, 0);
	hit(WR_GUARD_IDLE, 0);
	assert_int_equal(cpu.rescheduled, 1);
	hit(WR_GUARD_IDLE, 1);
	assert_int_equal(cpu.rescheduled, 0);
	assert_int_equal(cpu.hits, 1);
}

static void test_contexts(void **state)
{
	static const struct {
		uint32_t guard, count;
		bool runs;
	} nested[] = {
		{ 0, 0, false },
		{ 0, SOFTIRQ, true },
		{ 0, NMI + IRQ, true },
		{ SOFTIRQ, SOFTIRQ, false },
		{ SOFTIRQ, IRQ + SOFTIRQ, true },
		{ IRQ + SOFTIRQ, IRQ + SOFTIRQ, false },
		{ IRQ, NMI + 2 * IRQ, true },
		{ IRQ + SOFTIRQ, NMI + 2 * IRQ + SOFTIRQ, true },
		{ NMI + IRQ, NMI + IRQ, false },
		{ NMI + IRQ, 2 * NMI + 2 * IRQ, false },
		{ 7 * NMI, 8u * NMI, false },
		{ NMI, 15u * NMI, false },
	};

	for (size_t i = 0; i < sizeof(nested) / sizeof(*nested); i++) {
		hit(nested[i].guard + 1, INT64_MIN + nested[i].count + 1);
		assert_int_equal(cpu.hits, nested[i].runs);
		assert_int_equal(cpu.missed, !nested[i].runs);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reschedule),
		cmocka_unit_test(test_contexts),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
