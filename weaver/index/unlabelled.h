/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds unlabelled duplicates. GCC copies blocks, and later merges copies again if they have become
 * identical. A merged instruction no longer has the information which member it accesses (GCC's
 * merge_memattrs()), and so it gets no label. Without these instructions, an aspect that traces
 * every write of a member would miss some writes.
 *
 * An *unlabelled duplicate* is an instruction without any label that looks like a labelled
 * instruction of the joinpoint:
 * - The line table gives both the same file, line and column.
 * - The displacement is the member's offset in DWARF.
 * - Both load, store or do both, with the same number of bytes. For writes, one copy may use a
 *   load, a change and a store where the other uses one instruction.
 * - It lies in the function of the access, or in a function into which that function was inlined.
 * These instructions do not count:
 * - an instruction in text whose labels are not known (wv_merge_is_labelled()): there, shadows are
 *   found by the line table's columns;
 * - an instruction whose base is the stack pointer: it may reload a spilled register, which has the
 *   location of the statement that needs the register;
 * - an instruction at a location where labelled instructions of different members look the same, as
 *   in a macro's expansion;
 * - an instruction that is already a shadow of another joinpoint of the same member, by column or
 *   operand;
 * - the store of a read-modify-write in a function where its load is the shadow: otherwise one
 *   execution would be counted twice.
 */
#ifndef WV_UNLABELLED_H
#define WV_UNLABELLED_H

#include "index/inlined.h"
#include "index/operand.h"
#include "index/shadows.h"

/*
 * Adds the unlabelled duplicates to @shadows->list, with precision *operand*. @rows must be in the
 * order in which wv_shadows_init() left them. Adds nothing if @operands is all zero.
 */
int wv_unlabelled_add(struct wv_shadows *shadows, const struct wv_merge *merge, const wv_rows *rows,
		 const struct wv_symbols *symbols, const struct wv_operands *operands,
		 const struct wv_inlined_list *inlined, struct wv_error *error);

#endif /* WV_UNLABELLED_H */
