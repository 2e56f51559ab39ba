/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an instruction does with registers and flags. Capstone's own record of that has gaps, so
 * this names the instructions that it understands by itself and is cautious about all others. Only
 * decode.c includes this.
 */
#ifndef WV_EFFECTS_H
#define WV_EFFECTS_H

#include <capstone/capstone.h>

#include "x86/decode.h"

/* Fills ret->uses and ret->kills. @insn has its details, operands in Intel's order. */
void wv_effects(const cs_insn *insn, struct wv_insn *ret);

/* WR_BIT()s of at least the registers that it may change; flow aside. */
uint32_t wv_changes(const cs_insn *insn);

#endif /* WV_EFFECTS_H */
