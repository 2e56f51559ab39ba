/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the effects of an instruction on registers and flags. Capstone's own data about these
 * effects is incomplete. So effects.c lists the instructions that it knows, and assumes the worst
 * of all others. Only decode.c includes this file.
 */
#ifndef WV_EFFECTS_H
#define WV_EFFECTS_H

#include <capstone/capstone.h>

#include "x86/instruction.h"

/* Fills ret->uses and ret->kills. @insn has its details, operands in Intel's order. */
void wv_effects(const cs_insn *insn, struct wv_insn *ret);

/*
 * WR_BIT()s: superset of the registers that the instruction itself may change. WR_FLAGS means
 * nothing here.
 */
uint32_t wv_changes(const cs_insn *insn);

#endif /* WV_EFFECTS_H */
