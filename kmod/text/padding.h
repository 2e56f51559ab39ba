/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Padding: bytes of a function that control never reaches, which are the nops and int3s after an
 * instruction without fall-through, up to the next branch target. Process context, may sleep; under
 * wk_mutex.
 */
#ifndef WK_PADDING_H
#define WK_PADDING_H

#include <linux/types.h>

/*
 * Returns whether the @size bytes at @address (live) are padding that no other owner may rewrite.
 * Does not look at weft's own splices and slots. @c_size: see wk_is_single_entry().
 */
bool wk_is_padding(unsigned long address, unsigned int size, u32 c_size);

#endif /* WK_PADDING_H */
