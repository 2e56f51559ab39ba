/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An instruction in objdump's words: what it is to a splice, by its mnemonic alone. */
#ifndef WEFT_ORACLE_X86_MNEMONICS_H
#define WEFT_ORACLE_X86_MNEMONICS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/x86-rules.h"

struct mnemonic {
	uint8_t behavior; /* enum wr_behavior */
	bool direct;	  /* a branch to .target */
	uint64_t target;
	bool rip_relative; /* it addresses .operand so */
	uint64_t operand;
	bool stays; /* it cannot be moved, whatever it is */
};

/* False where there is none: prefixes alone, which objdump takes apart from an fwait. */
bool mnemonic_parse(const char *text, struct mnemonic *ret);

/* Is that what the rules go by? */
bool mnemonic_is(const struct mnemonic *mnemonic, const struct wr_fields *fields);

#endif /* WEFT_ORACLE_X86_MNEMONICS_H */
