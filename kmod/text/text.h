/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The live kernel's text: reading it, and deciding whether a shadow in it may be spliced.
 * Everything here only looks. Process context, may sleep; the caller holds wk_mutex (so that weft's
 * own splices stand still).
 */
#ifndef WK_TEXT_H
#define WK_TEXT_H

#include <linux/types.h>

#include "runtime/abi.h"
#include "text/function.h"
#include "text/insn.h"

/*
 * Reads text at live @address, as far as it is text. @original shows the original bytes under
 * weft's own splices.
 * -EFAULT where any byte is outside.
 */
int wk_text_read(unsigned long address, u8 *buffer, unsigned int size, bool original);

/* Is the original text at @address these bytes? */
bool wk_text_is(unsigned long address, const u8 *bytes, unsigned int size);

/*
 * May @splice be put where it says, for the shadow at @shadow? Asks of every instruction that it covers, in this order: is it
 * text, an instruction's first byte, forbidden, relocatable; then of all of them: may a jump cover them, do they belong to somebody
 * else or to another splice. A shadow in the displaced range of a splice that is there, or right behind it, needs none of its own. Of one right
 * behind its displaced range nothing is asked but whether control comes to it from there only. NONE fills @ret.
 * *@function_ret: the function that holds it, where there is one. @vouched: as wk_is_single_entry() has it.
 */
enum weft_refusal wk_text_check(const struct weft_splice *splice, unsigned long shadow, u32 c_size,
				const struct wk_function **function_ret, struct wk_displaced *ret);

/*
 * The instructions of @function from @address on, as many as make @least bytes: may each of them run elsewhere, all of them one after
 * the other? NONE fills @ret.
 */
enum weft_refusal wk_text_displaced(struct wk_function *function, unsigned long address, unsigned int least,
				 struct wk_displaced *ret);

/*
 * Who owns one of these bytes, which begin with an instruction's first, in @function, and may rewrite them: KPROBE, FTRACE, JUMP_LABEL,
 * STATIC_CALL, ALTERNATIVE; or NONE.
 */
enum weft_refusal wk_text_owner(struct wk_function *function, unsigned long address, unsigned int size);

/*
 * Looks once whether there are kprobes at all: where there are none, what follows need not ask for every byte, until it is to be
 * forgotten. @held: the caller keeps kprobe_mutex, so none can come. Otherwise one that comes is missed by wk_text_kprobe(): that is for
 * who asks once more, with the mutex held, before he writes.
 */
void wk_text_look_for_kprobes(bool held);
void wk_text_forget_kprobes(void);

/*
 * Does a kprobe sit on one of these bytes, or shortly before, where its optimised jump may cover
 * the first? An answer for now only, unless text_mutex keeps kprobes from arming.
 */
bool wk_text_kprobe(unsigned long address, unsigned int size);

/* The same, but on these bytes only. */
bool wk_text_kprobe_in(unsigned long address, unsigned int size);

#endif /* WK_TEXT_H */
