/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decoded fields of one instruction, for the rules (../runtime/x86-rules.h), as far as they are
 * certain. Any context.
 */
#ifndef WK_INSN_TABLE_H
#define WK_INSN_TABLE_H

#include <linux/types.h>

#include "runtime/x86-rules.h"

/*
 * Decodes the fields of the instruction that begins at @bytes, of which @size may be read (at most
 * WEFT_INSN_MAX). Asks the kernel's decoder if the table does not suffice. Returns false if the
 * rules do not know the instruction, or the decoder sees a different one.
 */
bool wk_insn_fields_read(const u8 *bytes, unsigned int size, struct wr_fields *ret);

/*
 * The two ways to do so: by tables alone, or with the kernel's decoder. The table lookup may miss
 * (false); a hit always agrees with the kernel's decoder.
 */
bool wk_insn_fields_look_up(const u8 *bytes, unsigned int size, struct wr_fields *ret);
bool wk_insn_fields_decode(const u8 *bytes, unsigned int size, struct wr_fields *ret);

#endif /* WK_INSN_TABLE_H */
