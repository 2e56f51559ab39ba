// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rules of the kernel's uprobes for 64-bit code (arch/x86/kernel/uprobes.c, 6.1 and 6.12), see
 * uprobe-rules.h: the prefixes and opcodes that uprobes refuse. They take every other instruction.
 */
#include <string.h>

#include "aspect/resolve/uprobe-rules.h"

enum { VEX3 = 0xc4, VEX2 = 0xc5, EVEX = 0x62, TWO_BYTES = 0x0f, REX = 0x40 };

/* The segment prefixes es, cs, ss and ds, which have no effect in 64-bit code, and lock. */
static const uint8_t refused_prefixes[] = { 0x26, 0x2e, 0x36, 0x3e, 0xf0 };
/* The other prefixes: fs, gs, operand size, address size, repne, rep. */
static const uint8_t other_prefixes[] = { 0x64, 0x65, 0x66, 0x67, 0xf2, 0xf3 };

static const uint8_t refused[] = {
	0x06, 0x07, 0x0e, 0x16, 0x17, 0x1e, 0x1f, 0x27, 0x2f, 0x37, 0x3f, 0x60, 0x61, 0x62,
	0x6c, 0x6d, 0x6e, 0x6f, 0x82, 0x9a, 0xcc, 0xcd, 0xce, 0xcf, 0xd4, 0xd5, 0xd6, 0xe4,
	0xe5, 0xe6, 0xe7, 0xea, 0xec, 0xed, 0xee, 0xef, 0xf1, 0xf4, 0xfa, 0xfb,
};

/* Second bytes of the refused opcodes that begin with 0f. */
static const uint8_t refused_2[] = {
	0x00, 0x01, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0b, 0x30, 0x34, 0x35, 0x37, 0x78, 0x79, 0xae,
};

#define HAS(list, byte) (memchr(list, byte, sizeof(list)) != NULL)

bool wv_uprobe_takes(const uint8_t *bytes, size_t n)
{
	size_t at = 0;

	for (; at < n; at++) {
		if (HAS(refused_prefixes, bytes[at]))
			return false;
		if (!HAS(other_prefixes, bytes[at]))
			break;
	}
	if (at < n && (bytes[at] & 0xf0) == REX)
		at++;
	if (at >= n)
		return false;
	/* After a VEX prefix of two or three bytes, or an EVEX prefix of four, comes the opcode. */
	if (bytes[at] == VEX2 || bytes[at] == VEX3 || bytes[at] == EVEX)
		at += bytes[at] == VEX2 ? 2 : bytes[at] == VEX3 ? 3 : 4;
	else if (bytes[at] == TWO_BYTES)
		return at + 1 < n && !HAS(refused_2, bytes[at + 1]);
	return at < n && !HAS(refused, bytes[at]);
}
