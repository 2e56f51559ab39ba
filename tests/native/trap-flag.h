/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trap flag, by which a thread has itself interrupted behind each of its instructions: a
 * SIGTRAP handler comes between any two of them.
 */
#ifndef WEFT_TEST_TRAP_FLAG_H
#define WEFT_TEST_TRAP_FLAG_H

enum { FLAG_TRAP = 0x100 };

/*
 * From the end of its last instruction on. The red zone stays whole: these may be in a function
 * that has one.
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
