/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes instructions of all opcode maps, whether they exist or not: one byte, 0f, 0f38, 0f3a; VEX,
 * EVEX and XOP with all their maps. Each opcode comes with prefixes in many combinations and
 * orders, with each value of ModRM's reg, and with its operand in a register, in memory by all
 * addressing modes, and rip-relative.
 *
 * Knows encodings only, and nothing of what the instructions do: it shares no table with the code
 * under test.
 */
#ifndef WEFT_ORACLE_X86_SAMPLES_H
#define WEFT_ORACLE_X86_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

enum {
	SAMPLE_SIZE = 15,    /* The bytes of a sample. */
	SAMPLE_DISP8 = 0x10, /* The displacement of 8 bits. */
	/*
	 * The displacement of 32 bits, for rip-relative operands, too. x86-native.c has memory
	 * where it leads.
	 */
	SAMPLE_DISP32 = 0x1210,
};

/*
 * A function that gets a sample. A sample has SAMPLE_SIZE bytes and begins with the instruction;
 * the bytes after the instruction do not belong to it.
 */
typedef void (*sample_take)(void *context, const uint8_t *bytes);

/*
 * Calls @take with each sample. With @all, each opcode comes with every ModRM byte, else with some
 * of them, the same ones each time.
 */
void samples_each(bool all, sample_take take, void *context);

#endif /* WEFT_ORACLE_X86_SAMPLES_H */
