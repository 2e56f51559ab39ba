/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Says what a splice needs to know of an instruction, by the mnemonic and operands that objdump
 * prints. None of weft's decoders is used.
 */
#ifndef WEFT_ORACLE_X86_MNEMONICS_H
#define WEFT_ORACLE_X86_MNEMONICS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/x86-fields.h"

/*
 * Whether an instruction can run at another address. Derived from the mnemonic and the manuals
 * only, not from runtime/x86-rules.c, which is compared with it.
 */
enum mobility {
	MOBILITY_NONE,	   /* The instruction cannot run elsewhere. */
	MOBILITY_REENCODE, /* Another instruction, or several, must do its work there. */
	MOBILITY_COPY,	   /* A copy runs there, with a rip-relative operand corrected. */
};

struct mnemonic {
	uint8_t behavior;  /* An enum wr_behavior. */
	bool direct;	   /* The instruction is a direct branch to .target. */
	uint64_t target;   /* The address that the branch leads to. */
	bool rip_relative; /* The memory operand is at .operand, relative to rip. */
	uint64_t operand;  /* The address of that memory. */
	uint8_t mobility;  /* An enum mobility. */
};

/*
 * Parses objdump's text of an instruction. Returns false if there are only prefixes (objdump prints
 * the prefixes of an fwait as a separate line).
 */
bool mnemonic_parse(const char *text, struct mnemonic *ret);

/* Returns whether @fields, which weft has decoded, are of the same behavior. */
bool mnemonic_is(const struct mnemonic *mnemonic, const struct wr_fields *fields);

/*
 * Returns whether @mobility, the way in which runtime/x86-rules.c lets the instruction be moved, is
 * right. Also true if objdump does not know the instruction and runtime/x86-rules.c does not move
 * it.
 */
bool mnemonic_moves_so(const struct mnemonic *mnemonic, const struct wr_fields *fields,
		       enum mobility mobility);

#endif /* WEFT_ORACLE_X86_MNEMONICS_H */
