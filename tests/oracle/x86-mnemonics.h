/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An instruction in objdump's words: what it is to a splice, by its mnemonic alone. */
#ifndef WEFT_ORACLE_X86_MNEMONICS_H
#define WEFT_ORACLE_X86_MNEMONICS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/x86-fields.h"

/*
 * Can it run at another address? By the mnemonic and the manuals; nothing here comes from the rules
 * (runtime/x86-rules.c), which are held against it.
 */
enum mobility {
	MOBILITY_NONE,
	MOBILITY_REENCODE, /* only as another instruction, or as several */
	MOBILITY_COPY,	   /* its bytes, with an operand relative to %rip corrected */
};

struct mnemonic {
	uint8_t behavior; /* enum wr_behavior */
	bool direct;	  /* a branch to .target */
	uint64_t target;
	bool rip_relative; /* it addresses .operand so */
	uint64_t operand;
	uint8_t mobility; /* enum mobility */
};

/* False where there is none: prefixes alone, which objdump takes apart from an fwait. */
bool mnemonic_parse(const char *text, struct mnemonic *ret);

/* Is that what the rules go by? */
bool mnemonic_is(const struct mnemonic *mnemonic, const struct wr_fields *fields);

/*
 * May it be moved as the rules do, by @mobility? True as well of what they do not move and objdump
 * does not know.
 */
bool mnemonic_moves_so(const struct mnemonic *mnemonic, const struct wr_fields *fields,
		       enum mobility mobility);

#endif /* WEFT_ORACLE_X86_MNEMONICS_H */
