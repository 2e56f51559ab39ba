/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variables that are per CPU in a kernel are per thread in these tests: %gs points at the
 * thread's struct cpu, which has counters for each shadow. Only threads that have a struct cpu run
 * woven code.
 */
#ifndef WEFT_TEST_CPU_H
#define WEFT_TEST_CPU_H

#include <stddef.h>
#include <stdint.h>

enum {
	SHADOWS_MAX = 1 << 20, /* The most shadows that are counted. */
	/*
	 * Is added to preempt_count, which is then never 0: 0 would mean that a reschedule is due.
	 */
	NOT_IDLE = 0x100000,
	CONTEXT_MASK = 0xff0000 /* The bits of preempt_count that say which context runs. */
};

struct counts {
	/* The advice itself counts in .ran, the trampoline in .hits and .missed. */
	uint64_t hits, missed, ran;
};

struct cpu {
	int32_t preempt_count; /* The kernel's preemption count. */
	int64_t guard;	       /* The nesting guard. */
	struct cpu *self;      /* The address of this struct. */
	uint64_t trapped; /* How often this thread met a trap and was sent to its trampoline. */
	uint64_t seed;	  /* The state of the generator of rubbish, see advice_rubbish(). */
	struct counts counts[SHADOWS_MAX]; /* Indexed by the shadow's number. */
};

/* Creates a struct cpu for the calling thread and points %gs at it. */
struct cpu *cpu_create(void);
void cpu_destroy(struct cpu *cpu);

/* Sets all counters to 0. */
void cpu_reset(struct cpu *cpu);

static inline struct cpu *this_cpu(void)
{
	struct cpu *cpu;

	asm volatile("mov %%gs:%c1, %0" : "=r"(cpu) : "i"(offsetof(struct cpu, self)));
	return cpu;
}

#endif /* WEFT_TEST_CPU_H */
