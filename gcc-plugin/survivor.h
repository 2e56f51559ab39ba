/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is left of equal instructions that GCC has merged. It has the location of one of them. If
 * their memory operands come from different expressions, it has none (merge_memattrs()), and
 * nothing tells what it accesses. But if each of them did the same accesses, so does it: where a
 * function that was inlined twice ends in the same way, for example. If they did not, it does no
 * access that can be named.
 */
#ifndef WEFT_SURVIVOR_H
#define WEFT_SURVIVOR_H

#include "joinpoints.h"

/* Watches the pass that merges; @name: the plugin's. */
void wp_survivor_init(const char *name);

/*
 * label.cc: what an instruction of the current function would be labelled with, as it is now. Added
 * to @entries, with 0 for the label.
 */
void wp_label_collect(rtx_insn *insn, vec<wp_entry> *entries);

/*
 * What an instruction does that others were merged with, or that has lost an expression: @count
 * entries, none if they did different accesses. NULL if it is like any other.
 */
const wp_entry *wp_survivor_entries(const rtx_insn *insn, unsigned *count);

#endif /* WEFT_SURVIVOR_H */
