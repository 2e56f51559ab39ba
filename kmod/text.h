/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The live kernel's text: reading it, and deciding whether a shadow in it may be spliced.
 * Everything here only looks. Process context, may sleep; the caller holds wk_mutex (so that weft's
 * own splices stand still).
 */
#ifndef WK_TEXT_H
#define WK_TEXT_H

#include <linux/types.h>

#include "../runtime/abi.h"
#include "../runtime/patch.h"

/*
 * Reads text at live @address, as far as it is text. @original shows the original bytes under
 * weft's own splices.
 * -EFAULT where any byte is outside.
 */
int wk_text_read(unsigned long address, u8 *buffer, unsigned int size, bool original);

/*
 * Remembers up to where a function was decoded, so that a plan in ascending order decodes each
 * function once. All zero at first.
 */
struct wk_text_cursor {
	unsigned long function, next;
};

/*
 * May a trap splice be put at @address? Asks, in this order: is it text, an instruction's first
 * byte, forbidden, somebody else's, relocatable. NONE fills @ret.
 */
enum weft_refusal wk_text_check(unsigned long address, struct wk_text_cursor *cursor,
				struct wr_insn *ret);

/*
 * Does a kprobe sit on one of these bytes, or shortly before, where its optimised jump may cover
 * the first? Any context; an answer for now only, unless text_mutex keeps kprobes from arming.
 */
bool wk_text_kprobe(unsigned long address, unsigned int size);

#endif /* WK_TEXT_H */
