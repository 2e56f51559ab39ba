/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions for the processor's trap flag: while it is set, each instruction of the thread ends in
 * a SIGTRAP, so that the signal's handler runs between any two instructions.
 */
#ifndef WEFT_TEST_TRAP_FLAG_H
#define WEFT_TEST_TRAP_FLAG_H

enum { FLAG_TRAP = 0x100 };

/*
 * Sets the trap flag, which takes effect after the last instruction of this function. Keeps the red
 * zone, because the function that this one is inlined into may use it.
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
