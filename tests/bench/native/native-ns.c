// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Measures nanoseconds per hit on this machine's own processor, with the emitter that weft.ko uses.
 * A function is spliced in this process, with per-CPU data behind %gs, and called in a loop. The
 * figure is the least of many runs, minus the same for the unspliced function. For comparison, the
 * function with a compiled-in direct call to an empty function is measured in the same way.
 *
 * Prints a line for each, "NAME NANOSECONDS". Linked at a low address (-no-pie), as tests/native's
 * programs are.
 */
#include <asm/prctl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/frame.h"
#include "runtime/trampoline.h"

enum { LOOPS = 100000, RUNS = 400, TRAMPOLINE_ROOM = 4096 };

static struct cpu {
	int32_t preempt_count;
	int64_t guard;
	uint64_t hits, missed;
} cpu;

/* The first instruction has five bytes, so a jump fits. */
asm(".text\n"
    ".balign 64\n"
    "bare:		mov $1, %eax\n"
    "		add %rdi, %rax\n"
    "		ret\n"
    ".balign 64\n"
    "calling:	push %rdi\n"
    "		call empty\n"
    "		pop %rdi\n"
    "		mov $1, %eax\n"
    "		add %rdi, %rax\n"
    "		ret\n"
    ".balign 64\n"
    "spliced:	mov $1, %eax\n"
    "		add %rdi, %rax\n"
    "		ret\n"
    ".balign 64\n"
    "empty:	ret\n"
    ".balign 64\n"
    "reschedule:	ret\n");

extern uint8_t bare[], calling[], spliced[], empty[], reschedule[];

typedef long (*function)(long);

static uint8_t *trampoline_memory;

/*
 * Splices the first instruction of `spliced`, where only rdi and callee-saved registers are live.
 */
static int splice(bool counter)
{
	const struct wr_platform platform = {
		.preempt_count = offsetof(struct cpu, preempt_count),
		.guard = offsetof(struct cpu, guard),
		.reschedule = (uintptr_t)reschedule,
		.context_mask = 0xff0100,
		.flags = WR_PLATFORM_COUNTS,
	};
	struct wr_insn insn = { .length = 5, .kind = WR_INSN_PLAIN, .address = (uintptr_t)spliced };
	struct wr_call call = {
		.entry = counter ? 0 : (uintptr_t)empty,
		.shadow = (uintptr_t)&cpu,
		.hits = offsetof(struct cpu, hits),
		.missed = offsetof(struct cpu, missed),
		.live = WR_BIT(WR_RDI) | WR_BIT(WR_RSP) | WR_BIT(WR_RBX) | WR_BIT(WR_RBP),
	};
	const struct wr_trampoline trampoline = {
		.platform = &platform, .insns = &insn, .nr_insns = 1, .calls = &call, .nr_calls = 1,
	};
	int32_t distance =
		(int32_t)((intptr_t)trampoline_memory - (intptr_t)(spliced + WEFT_JUMP_SIZE));
	static uint8_t original[WEFT_JUMP_SIZE];

	if (!original[0])
		memcpy(original, spliced, sizeof(original));
	memcpy(insn.bytes, original, sizeof(original));
	if (wr_trampoline_emit(trampoline_memory, TRAMPOLINE_ROOM, (uintptr_t)trampoline_memory,
			       &trampoline) < 0)
		return -1;
	spliced[0] = 0xe9; /* The opcode of a jmp. */
	memcpy(spliced + 1, &distance, sizeof(distance));
	return 0;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double run(function called)
{
	double start = now();
	long sum = 0;

	/*
	 * Each call gets the result of the previous one, so that the processor cannot overlap them.
	 */
	for (long i = 0; i < LOOPS; i++)
		sum = called(sum);
	asm volatile("" : : "r"(sum));
	return (now() - start) / LOOPS;
}

/*
 * Measures the three functions. Other work on the machine only adds time, so the least time counts.
 * The functions take turns, so that none has all the quiet moments.
 */
static void measure(double *bare_ret, double *call_ret, double *spliced_ret)
{
	*bare_ret = *call_ret = *spliced_ret = 1e9;
	for (int i = 0; i < RUNS; i++) {
		double a = run((function)bare), b = run((function)calling),
		       c = run((function)spliced);

		*bare_ret = a < *bare_ret ? a : *bare_ret;
		*call_ret = b < *call_ret ? b : *call_ret;
		*spliced_ret = c < *spliced_ret ? c : *spliced_ret;
	}
}

int main(void)
{
	uintptr_t page = (uintptr_t)spliced & -4096ul;
	double base, call, counter, advice;

	cpu.preempt_count = 0x100000;
	cpu.guard = WR_GUARD_IDLE;
	trampoline_memory = mmap(NULL, TRAMPOLINE_ROOM, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (trampoline_memory == MAP_FAILED || syscall(SYS_arch_prctl, ARCH_SET_GS, &cpu) ||
	    mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC))
		return 1;
	if (splice(true))
		return 1;
	measure(&base, &call, &counter);
	if (cpu.hits != (uint64_t)LOOPS * RUNS)
		return 1;
	cpu.hits = 0;
	if (splice(false))
		return 1;
	measure(&base, &call, &advice);
	if (cpu.hits != (uint64_t)LOOPS * RUNS || cpu.missed || cpu.guard != WR_GUARD_IDLE)
		return 1;
	printf("bare %.3f\ncall %.3f\ncounter %.3f\nadvice %.3f\n", base, call - base,
	       counter - base, advice - base);
	return 0;
}
