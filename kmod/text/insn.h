/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One instruction of the live kernel as relocation needs it (struct wr_insn), and where a call goes
 * (struct wr_target). What may be moved, and how, the rules say (../runtime/x86-rules.h); who owns
 * the text is not known here.
 */
#ifndef WK_INSN_H
#define WK_INSN_H

#include <linux/types.h>

#include "runtime/advice.h"
#include "runtime/trampoline.h"
#include "runtime/x86-rules.h"

/* The instructions that a splice covers, one behind the other; one, where the splice is no jump. */
struct wk_displaced {
	u8 nr;
	u8 length; /* bytes of all */
	struct wr_insn insns[WR_DISPLACED_INSNS]; /* the first @nr */
};

/* Their bytes, @displaced range->length of them. */
void wk_displaced_bytes(const struct wk_displaced *displaced, u8 *bytes);

/*
 * Decodes the @size bytes (at most WEFT_INSN_MAX) that stand at live address @address. Returns enum
 * weft_refusal: UNDECODABLE, or the reason why this instruction cannot run out of line; NONE fills
 * @ret. Any context.
 */
enum weft_refusal wk_insn_decode(unsigned long address, const u8 *bytes, unsigned int size,
				 struct wr_insn *ret);

/*
 * Decodes the @size bytes of whole instructions that stand at live address @address. Any context.
 */
void wk_displaced_decode(unsigned long address, const u8 *bytes, unsigned int size,
			 struct wk_displaced *ret);
/*
 * @insn, and @size bytes that stand behind it. Where the kernel needs no return thunks it makes a
 * return and four int3s of each jump to one: then the int3s, which nobody comes to, count as part
 * of the return, and it has room for a jump. Any context.
 */
void wk_insn_widen(struct wr_insn *insn, const u8 *behind, unsigned int size);

/* What is asked of every instruction of a function: as little as can be, for there are many. */
struct wk_step {
	struct wr_fields fields;
	u8 length;
	/*
	 * It changes what C code takes for granted beside registers: the direction flag, or whether
	 * user memory is open.
	 */
	bool sanitize;
	bool calls, jumps; /* to @target, which its bytes say; a jump may be conditional */
	bool lost;	   /* it goes where nobody can follow: far jumps, returns from interrupts */
	unsigned long target; /* live; 0: neither */
};

/*
 * Decodes the @size bytes that stand at live address @address. False where the decoder fails. Any
 * context.
 */
bool wk_insn_step(unsigned long address, const u8 *bytes, unsigned int size, struct wk_step *ret);

/* The length alone, 0 where the decoder fails. Any context. */
unsigned int wk_insn_length(const u8 *bytes, unsigned int size);

/*
 * Where @insn calls to, thunks for indirect calls seen through; WR_TARGET_NONE for what is no call.
 */
void wk_insn_target(const struct wr_insn *insn, struct wr_target *ret);

#endif /* WK_INSN_H */
