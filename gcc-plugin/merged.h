/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls, asm statements and volatile memory of which GCC has merged the instructions: equal ends of
 * blocks become one, with the location of one of them. So the registers in the instruction that is
 * left may be those of another statement than of the one at its location.
 */
#ifndef WEFT_MERGED_H
#define WEFT_MERGED_H

#include "joinpoints.h"

/*
 * Called on the last GIMPLE of a function: wp_merged_begin() first, wp_merged_note() for each
 * statement.
 */
void wp_merged_begin(void);
void wp_merged_note(gimple *statement);

/*
 * Called on the last RTL of the current function, before the functions below: finds which
 * statements have no instruction.
 */
void wp_merged_look(void);

/* Whether an instruction of a call of @callee, or of an asm with this template, was merged. */
bool wp_merged_call(tree callee);
bool wp_merged_asm(const char *text);

/* Whether a load or store of @bits bits of volatile memory was merged with another one. */
bool wp_merged_volatile(int bits, bool store);

#endif /* WEFT_MERGED_H */
