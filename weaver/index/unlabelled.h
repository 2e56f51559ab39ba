/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds unlabelled duplicates. GCC copies blocks, and merges copies again if they turn out
 * identical. In the merged block, the information is lost which members it accesses (GCC's
 * merge_memattrs()). So some instructions of a joinpoint may be without a label, and tracing every
 * write would miss some.
 *
 * An *unlabelled duplicate* is an instruction without any label that has the same line,
 * displacement and access size as a labelled instruction of the joinpoint. In detail: the line
 * table gives both the same file, line and column; the displacement is the member's offset in
 * DWARF; and both load, store or do both with the same number of bytes. For writes, one copy may
 * use a load, a change and a store where the other uses one instruction. The duplicate lies in the
 * function of the access, or in a function into which the function of the access was inlined. These
 * are not taken:
 * - an instruction in text whose labels are not known (wv_merge_is_labelled()): shadows are found
 *   there by the line table's columns;
 * - an instruction whose base is the stack pointer: the reload of a spilled register has the
 *   location of the statement that needs it;
 * - an instruction at a location where labelled instructions of different members look the same, as
 *   in a macro's expansion;
 * - an instruction that is already a shadow of another joinpoint of the same member, by column or
 *   operand;
 * - the store of a read-modify-write in a function where its load is the shadow: one execution is
 *   counted once.
 */
#ifndef WV_UNLABELLED_H
#define WV_UNLABELLED_H

#include "index/inlined.h"
#include "index/operand.h"
#include "index/shadows.h"

/*
 * Adds the unlabelled duplicates to @shadows->list with precision *operand*. @rows must be in the
 * order in which wv_shadows_init() left them. Finds nothing if @operands is all zero.
 */
int wv_unlabelled_add(struct wv_shadows *shadows, const struct wv_merge *merge, const wv_rows *rows,
		 const struct wv_symbols *symbols, const struct wv_operands *operands,
		 const struct wv_inlined_list *inlined, struct wv_error *error);

#endif /* WV_UNLABELLED_H */
