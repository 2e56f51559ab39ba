/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions of all opcode maps, whether they exist or not: one byte, 0f, 0f38, 0f3a; VEX, EVEX
 * and XOP with all their maps. Each opcode with prefixes in many combinations and orders, each
 * digit of ModRM's reg, and its operand in a register, in memory by all addressing modes, and
 * rip-relative.
 *
 * Knows encodings only, nothing of what any of them does: it shares no table with what it tests.
 */
#ifndef WEFT_ORACLE_X86_SAMPLES_H
#define WEFT_ORACLE_X86_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

enum {
	SAMPLE_SIZE = 15,
	SAMPLE_DISP8 = 0x10,
	SAMPLE_DISP32 = 0x1210, /* also of rip-relative operands; leads to memory (x86-native.c) */
};

/* @bytes are SAMPLE_SIZE, the instruction's and some more. */
typedef void (*sample_take)(void *context, const uint8_t *bytes);

/* @all: every ModRM byte of each opcode; else a share of them, the same ones each time. */
void samples_each(bool all, sample_take take, void *context);

#endif /* WEFT_ORACLE_X86_SAMPLES_H */
