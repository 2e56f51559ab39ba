/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds shadows without labels: the instructions of a source line that do a given access. The line
 * table gives the instructions of the access's column. Not all of these do the access (others
 * compute arguments or addresses), so each is decoded, and taken by the access's kind:
 *
 * 	call	the indirect calls and jumps, also those through a thunk, at the column where the
 * 		call's expression begins
 * 	others	the instructions that read or write at the member's offset, or compute that
 * 		address, as the kind requires. If there is none because the member is part of
 * 		something larger: the only instruction that touches memory in that way. A macro's
 * 		expansion has one location for all of its code: there only instructions at the
 * 		member's offset count, one in each contiguous range
 */
#ifndef WV_LINE_COLUMNS_H
#define WV_LINE_COLUMNS_H

#include "base/vec.h"
#include "image/symbols.h"
#include "index/operand.h"

typedef WV_VEC(uint64_t) wv_addresses;

/*
 * Finds the instructions that do @joinpoint among those of @rows (one line in one function, sorted
 * by address). @ret is emptied first, and gets link addresses, ascending. If none does the access,
 * @ret is empty; that is no error.
 */
int wv_line_columns_find(const struct wv_operands *operands, const struct wv_symbols *symbols,
		    uint32_t joinpoint, const struct wv_row *rows, size_t n, wv_addresses *ret,
		    struct wv_error *error);

#endif /* WV_LINE_COLUMNS_H */
