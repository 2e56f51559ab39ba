/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Equal instructions that GCC has merged into one. The instruction that is left, the survivor, has
 * the location of one of them. If their memory operands come from different expressions, the
 * survivor has no expression (merge_memattrs()), so nothing shows what it accesses. But if all
 * merged instructions did the same accesses, the survivor does them, too: for example if a function
 * was inlined twice and both instances end in the same way. If they did different accesses, the
 * survivor does no access that can be named.
 */
#ifndef WEFT_SURVIVOR_H
#define WEFT_SURVIVOR_H

#include "joinpoints.h"

/* Registers what is needed to watch GCC's merging pass, jump2. @name: the plugin's name. */
void wp_survivor_init(const char *name);

/* To be called before each pass. */
void wp_survivor_before(const opt_pass *pass);

/*
 * In label.cc. Adds to @entries the entries that an instruction of the current function would be
 * labelled with, as it is now; their label is 0.
 */
void wp_label_collect(rtx_insn *insn, vec<wp_entry> *entries);

/*
 * In label.cc, for an instruction of the current function. Returns NULL if @insn can be labelled as
 * it is now: jump2 has merged nothing with it, or it still has its expressions, or it is an asm,
 * and all that were merged did the same accesses.
 *
 * Otherwise returns the entries that @insn is to be labelled with instead; *@count: their number, 0
 * if the merged instructions did different accesses.
 */
const wp_entry *wp_survivor_entries(const rtx_insn *insn, unsigned *count);

#endif /* WEFT_SURVIVOR_H */
