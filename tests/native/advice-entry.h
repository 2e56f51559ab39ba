/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries of advice that leave rubbish in all registers that C may change. They align the stack for
 * C, which the code around keeps aligned only at calls. For files that are compiled with
 * -mgeneral-regs-only.
 */
#ifndef WEFT_TEST_ADVICE_ENTRY_H
#define WEFT_TEST_ADVICE_ENTRY_H

#include "cpu.h"

/* Each sets other flags, among them overflow. */
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

/* What @body of an entry returns: it becomes the rubbish. */
IN_ADVICE static inline uint64_t advice_rubbish(struct cpu *cpu)
{
	cpu->seed ^= cpu->seed << 13;
	cpu->seed ^= cpu->seed >> 7;
	cpu->seed ^= cpu->seed << 17;
	return cpu->seed;
}

#endif /* WEFT_TEST_ADVICE_ENTRY_H */
