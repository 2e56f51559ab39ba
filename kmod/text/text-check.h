/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * May a shadow be spliced? Considers the text itself, its other owners and the kernel's blacklist.
 * Weft's own splices are considered in plan-check.c. These functions only check, and change
 * nothing. Process context, may sleep; under wk_mutex.
 */
#ifndef WK_TEXT_CHECK_H
#define WK_TEXT_CHECK_H

#include <linux/types.h>

#include "runtime/abi.h"
#include "text/function.h"
#include "text/insn.h"

/*
 * Returns whether the @length bytes of instructions at @address end right before the shadow and do
 * not contain it. In that case the advice is attached before: it runs after the last of these
 * instructions, and the shadow's own bytes are not written.
 */
static inline bool wk_text_attaches_before(unsigned long address, unsigned int length,
					     unsigned long shadow)
{
	return shadow == address + length;
}

/*
 * Checks whether the text may be changed as @planned says, for the shadow at @shadow (live). The
 * bytes must be text. Each displaced instruction is checked, in this order: an instruction begins
 * there, it is not blacklisted, it has no entry in the exception table, it can be relocated. All of
 * them together are checked then: a jump may cover them, and no other owner writes to them. If the
 * shadow is right after them, control must reach it from them alone. Returns NONE and fills @ret,
 * or returns the refusal. *@function_ret: the function that holds the displaced instructions, if
 * there is one. @c_size: see wk_is_single_entry().
 */
enum weft_refusal wk_text_check(const struct weft_splice *planned, unsigned long shadow,
				u32 c_size, const struct wk_function **function_ret,
				struct wk_displaced *ret);

/*
 * Checks whether around-advice may run instead of the function at @shadow (live). The shadow must
 * be the first instruction of a function, after its endbr and ftrace's bytes. The function must not
 * jump to its own beginning: such a jump is no call, but the advice would run again.
 * @c_size: see wk_is_single_entry().
 */
enum weft_refusal wk_text_check_entry(unsigned long shadow, u32 c_size);

/*
 * Decodes the instructions of @function from @address (live) on, until they have @least bytes. May
 * each of them run out of line, all in sequence? Returns NONE and fills @ret, or returns the
 * refusal.
 */
enum weft_refusal wk_text_displaced(struct wk_function *function, unsigned long address,
				 unsigned int least, struct wk_displaced *ret);

/*
 * Returns which other owner may rewrite one of the @size bytes at @address, where an instruction of
 * @function begins: KPROBE, BREAKPOINT, FTRACE, JUMP_LABEL, STATIC_CALL, ALTERNATIVE or NONE.
 */
enum weft_refusal wk_text_owner(struct wk_function *function, unsigned long address,
				unsigned int size);

#endif /* WK_TEXT_CHECK_H */
