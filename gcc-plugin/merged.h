/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls, asm statements and volatile memory of which GCC has merged the instructions: equal ends
 * of blocks become one, with the location of one of them. Then the registers of the instruction
 * that is left are sometimes those of another statement than its location says.
 */
#ifndef WEFT_MERGED_H
#define WEFT_MERGED_H

#include "joinpoints.h"

/* On the last GIMPLE: a function begins; one of its statements. */
void wp_merged_begin(void);
void wp_merged_note(gimple *statement);

/* On the last RTL, before the questions below: looks at what is left in the current function. */
void wp_merged_look(void);

/* Whether an instruction of a call of @callee, or of an asm with this template, was merged. */
bool wp_merged_call(tree callee);
bool wp_merged_asm(const char *text);

/* Whether a load or store of so many bits of volatile memory was merged with another one. */
bool wp_merged_volatile(int bits, bool store);

#endif /* WEFT_MERGED_H */
