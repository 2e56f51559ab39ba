/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shadows without labels: which instructions of a line do one of its accesses. The line table says
 * which instructions belong to the access's column; there are more of them than the access
 * (arguments, address arithmetic), so each is decoded:
 *
 *	call	the indirect calls and jumps, also those through a thunk, at the place where the
 *		call's expression begins
 *	others	what reads, writes or computes the address of the member's offset, as the kind has
 *		it; else, the member being
 *		part of something larger, the only one that touches memory in that way. Of a macro's
 *		expansion, which has one
 *		place for all that it does, only what is at the member's offset, one instruction in
 *		each run of its code
 */
#ifndef WV_LINE_COLUMNS_H
#define WV_LINE_COLUMNS_H

#include "base/vec.h"
#include "image/symbols.h"
#include "index/operand.h"

typedef WV_VEC(uint64_t) wv_addresses;

/*
 * Among the instructions of @rows (one line in one function, by address) those that do @joinpoint,
 * ascending; @ret is emptied first. None is no error.
 */
int wv_text_table_find(const struct wv_operands *operands, const struct wv_symbols *symbols,
		    uint32_t joinpoint, const struct wv_row *rows, size_t n, wv_addresses *ret,
		    struct wv_error *error);

#endif /* WV_LINE_COLUMNS_H */
