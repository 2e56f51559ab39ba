/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processor's trap flag: while it is set, each instruction of the thread ends in a SIGTRAP,
 * whose handler so comes between any two instructions.
 */
#ifndef WEFT_TEST_TRAP_FLAG_H
#define WEFT_TEST_TRAP_FLAG_H

enum { FLAG_TRAP = 0x100 };

/*
 * Takes effect after its last instruction. It keeps the red zone, which the function that it is
 * inlined into may use.
 */
static inline void trap_flag_set(void)
{
	asm volatile(
		"lea -128(%%rsp), %%rsp; pushfq; orl %0, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::
			"i"(FLAG_TRAP)
		: "memory", "cc");
}

static inline void trap_flag_clear(void)
{
	asm volatile(
		"lea -128(%%rsp), %%rsp; pushfq; andl %0, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::
			"i"(~FLAG_TRAP)
		: "memory", "cc");
}

#endif /* WEFT_TEST_TRAP_FLAG_H */
