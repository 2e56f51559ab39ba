/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares functions that read lines of `objdump -d --insn-width=15`. */
#ifndef WEFT_ORACLE_LISTING_H
#define WEFT_ORACLE_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LENGTH_MAX = 15 };

struct line {
	uint64_t address;	   /* The address of the instruction. */
	uint8_t bytes[LENGTH_MAX]; /* The bytes of the instruction. */
	size_t length;		   /* The number of bytes. */
	char *text;		   /* Mnemonic and operands, inside the given line. */
};

/*
 * Parses a line like "ffffffff81000000:\t48 8d 25 51 3f c0 00 \tlea ...". Returns false for other
 * lines.
 */
bool listing_parse(char *from, struct line *ret);

/*
 * Returns whether @text says that objdump found no instruction in the bytes. Returns true for finit
 * too: objdump prints it as one instruction, but it is two, fwait and fninit, so its length cannot
 * be compared.
 */
bool listing_is_none(const char *text);

#endif /* WEFT_ORACLE_LISTING_H */
