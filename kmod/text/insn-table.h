/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One instruction's fields, for the rules (../runtime/x86-rules.h), as far as they are certain. Any
 * context.
 */
#ifndef WK_INSN_TABLE_H
#define WK_INSN_TABLE_H

#include <linux/types.h>

#include "runtime/x86-rules.h"

/*
 * Of the @size bytes (at most WEFT_INSN_MAX) that begin with an instruction. False where the rules
 * do not know it, or the kernel's decoder, which is asked where it has to be, means another one.
 */
bool wk_insn_fields_read(const u8 *bytes, unsigned int size, struct wr_fields *ret);

/*
 * Its two ways: without the decoder, which is false where that has to be asked, and with it. Where
 * the first is true the second is, with the same fields.
 */
bool wk_insn_fields_look_up(const u8 *bytes, unsigned int size, struct wr_fields *ret);
bool wk_insn_fields_decode(const u8 *bytes, unsigned int size, struct wr_fields *ret);

#endif /* WK_INSN_TABLE_H */
