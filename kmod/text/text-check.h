/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * May a shadow be spliced? What the text itself, its other owners and the kernel's rules say; not
 * whether weft's own splices are in the way, which the plan's check asks (plan-check.c). Everything
 * here only looks. Process context, may sleep; under wk_mutex.
 */
#ifndef WK_TEXT_CHECK_H
#define WK_TEXT_CHECK_H

#include <linux/types.h>

#include "runtime/abi.h"
#include "text/function.h"
#include "text/insn.h"

/*
 * Do @length bytes of whole instructions at @address lead up to the shadow, rather than hold it?
 * Then its advice comes behind the last of them, and weft never touches the shadow's own bytes.
 */
static inline bool wk_splice_attaches_before(unsigned long address, unsigned int length,
					     unsigned long shadow)
{
	return shadow == address + length;
}

/*
 * May the text be changed where @planned says, for the shadow at @shadow? Asks of every instruction
 * that it covers, in this order: is it text, an instruction's first byte, forbidden, relocatable;
 * then of all of them: may a jump cover them, and do they belong to somebody else. Of a shadow
 * right behind them nothing is asked but whether control comes to it from there only. NONE fills
 * @ret. *@function_ret: the function that holds it, where there is one. @c_size: as
 * wk_is_single_entry() has it.
 */
enum weft_refusal wk_text_check(const struct weft_splice *planned, unsigned long shadow,
				u32 c_size, const struct wk_function **function_ret,
				struct wk_displaced *ret);

/*
 * The instructions of @function from @address on, as many as make @least bytes: may each of them
 * run elsewhere, all of them one after the other? NONE fills @ret.
 */
enum weft_refusal wk_text_displaced(struct wk_function *function, unsigned long address,
				 unsigned int least, struct wk_displaced *ret);

/*
 * Who owns one of these bytes, which begin with an instruction's first, in @function, and may
 * rewrite them: KPROBE, FTRACE, JUMP_LABEL, STATIC_CALL, ALTERNATIVE; or NONE.
 */
enum weft_refusal wk_text_owner(struct wk_function *function, unsigned long address,
				unsigned int size);

#endif /* WK_TEXT_CHECK_H */
