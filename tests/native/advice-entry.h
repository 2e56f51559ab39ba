/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ADVICE_ENTRY() makes an entry point of advice, for tests that a trampoline saves what is live.
 * The entry point leaves rubbish in all registers that a C function may change. It also aligns the
 * stack for its C body, since woven code keeps the stack aligned only at its own calls. Only files
 * that are compiled with -mgeneral-regs-only may use it.
 */
#ifndef WEFT_TEST_ADVICE_ENTRY_H
#define WEFT_TEST_ADVICE_ENTRY_H

#include "cpu.h"

/* The last add changes all arithmetic flags, also the overflow flag. */
#define ADVICE_ENTRY(name, body)                              \
	asm(".pushsection advice_text, \"ax\"\n"       \
	    ".globl " #name "\n" #name ":	push %rbp\n" \
	    "		mov %rsp, %rbp\n"                       \
	    "		and $-16, %rsp\n"                       \
	    "		call " #body "\n"              \
	    "		mov %rax, %rcx\n"                       \
	    "		mov %rax, %rdx\n"                       \
	    "		not %rdx\n"                             \
	    "		mov %rax, %rsi\n"                       \
	    "		bswap %rsi\n"                           \
	    "		mov %rdx, %rdi\n"                       \
	    "		bswap %rdi\n"                           \
	    "		mov %rax, %r8\n"                        \
	    "		ror $13, %r8\n"                         \
	    "		mov %rax, %r9\n"                        \
	    "		ror $29, %r9\n"                         \
	    "		mov %rax, %r10\n"                       \
	    "		ror $41, %r10\n"                        \
	    "		mov %rax, %r11\n"                       \
	    "		leave\n"                                \
	    "		add %r11, %r11\n"                       \
	    "		ret\n"                                  \
	    ".popsection\n")

#define IN_ADVICE __attribute__((section("advice_text")))

/*
 * The @body of an ADVICE_ENTRY() returns this pseudo-random number, of which the entry makes its
 * rubbish.
 */
IN_ADVICE static inline uint64_t advice_rubbish(struct cpu *cpu)
{
	cpu->seed ^= cpu->seed << 13;
	cpu->seed ^= cpu->seed >> 7;
	cpu->seed ^= cpu->seed << 17;
	return cpu->seed;
}

#endif /* WEFT_TEST_ADVICE_ENTRY_H */
