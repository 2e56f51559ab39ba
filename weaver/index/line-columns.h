/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds shadows without labels: the instructions of a source line that do a given access. The line
 * table has the column of each instruction. But not all instructions at the access's column do the
 * access, because others compute arguments or addresses. So each instruction is decoded, and the
 * kind of the access decides:
 *
 * - For a call, the shadows are the indirect calls and jumps, also through a thunk, at the column
 *   where the call's expression begins.
 * - For all other kinds, the shadows are the instructions that read or write memory at the member's
 *   offset, or compute the address there, as the kind requires.
 * - If there is no such instruction, the member may be accessed as part of something larger. Then
 *   the shadow is the only instruction at that column that accesses any memory in the way that the
 *   kind requires.
 * - All code of a macro's expansion has one column. So for an access in a macro only instructions
 *   at the member's offset count. If a contiguous range of code has several of them, none counts.
 */
#ifndef WV_LINE_COLUMNS_H
#define WV_LINE_COLUMNS_H

#include "base/vec.h"
#include "image/symbols.h"
#include "index/operand.h"

typedef WV_VEC(uint64_t) wv_addresses;

/*
 * Finds the instructions that do @joinpoint among those of @rows. The rows are of one line in one
 * function, sorted by address. Empties @ret first, and then fills it with link addresses in
 * ascending order. It is no error if @ret stays empty because no instruction does the access.
 */
int wv_line_columns_find(const struct wv_operands *operands, const struct wv_symbols *symbols,
		    uint32_t joinpoint, const struct wv_row *rows, size_t n, wv_addresses *ret,
		    struct wv_error *error);

#endif /* WV_LINE_COLUMNS_H */
