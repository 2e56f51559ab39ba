/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `objdump -d --insn-width=15` prints, a line at a time. */
#ifndef WEFT_ORACLE_LISTING_H
#define WEFT_ORACLE_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LENGTH_MAX = 15 };

struct line {
	uint64_t address;
	uint8_t bytes[LENGTH_MAX];
	size_t length;
	char *text; /* mnemonic and operands, in the line */
};

/* "ffffffff81000000:\t48 8d 25 51 3f c0 00 \tlea ..."; false for what is no instruction's line. */
bool listing_parse(char *from, struct line *ret);

/*
 * Bytes that objdump takes for none, and the one that it prints as one: finit is fwait and fninit.
 */
bool listing_is_none(const char *text);

#endif /* WEFT_ORACLE_LISTING_H */
