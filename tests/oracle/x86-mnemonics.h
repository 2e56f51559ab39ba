/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a splice has to know of an instruction, by the mnemonic and operands that objdump prints. No
 * decoder of weft's is used.
 */
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

/*
 * Reads a line of objdump. False: it has no instruction, only prefixes (objdump prints the prefixes
 * of an fwait as a line of their own).
 */
bool mnemonic_parse(const char *text, struct mnemonic *ret);

/* Whether @fields, decoded by weft, say the same of the instruction. */
bool mnemonic_is(const struct mnemonic *mnemonic, const struct wr_fields *fields);

/*
 * Whether the instruction may be moved in the way @mobility, in which the rules move it. Also true
 * if objdump does not know the instruction and the rules do not move it.
 */
bool mnemonic_moves_so(const struct mnemonic *mnemonic, const struct wr_fields *fields,
		       enum mobility mobility);

#endif /* WEFT_ORACLE_X86_MNEMONICS_H */
