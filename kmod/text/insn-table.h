/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decoded fields of one instruction, for the functions in runtime/x86-rules.h, as far as the
 * fields are certain. Any context.
 */
#ifndef WK_INSN_TABLE_H
#define WK_INSN_TABLE_H

#include <linux/types.h>

#include "runtime/x86-rules.h"

/*
 * Decodes the fields of the instruction that begins at @bytes, of which @size may be read (at most
 * WEFT_INSN_MAX). Asks the kernel's decoder if the table in insn-table.c does not suffice. Returns
 * false if runtime/x86-fields.h does not know the instruction, or the kernel's decoder finds a
 * different one.
 */
bool wk_insn_fields_read(const u8 *bytes, unsigned int size, struct wr_fields *ret);

/*
 * The two ways of wk_insn_fields_read(): by the table alone, or with the kernel's decoder.
 * wk_insn_fields_look_up() may return false for a valid instruction; if it returns true, the
 * kernel's decoder always agrees.
 */
bool wk_insn_fields_look_up(const u8 *bytes, unsigned int size, struct wr_fields *ret);
bool wk_insn_fields_decode(const u8 *bytes, unsigned int size, struct wr_fields *ret);

#endif /* WK_INSN_TABLE_H */
