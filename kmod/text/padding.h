/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Padding: bytes of a function that nobody runs. Nops and int3s behind an instruction that control
 * does not come out of, up to the next instruction that it comes to. Process context, may sleep;
 * under wk_mutex.
 */
#ifndef WK_PADDING_H
#define WK_PADDING_H

#include <linux/types.h>

/*
 * Are the @size bytes at @address padding, which no other owner may rewrite? @c_size: as
 * wk_is_single_entry() has it. Weft's own splices and slots are not asked.
 */
bool wk_is_padding(unsigned long address, unsigned int size, u32 c_size);

#endif /* WK_PADDING_H */
