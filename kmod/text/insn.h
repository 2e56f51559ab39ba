/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One instruction of the live kernel as relocation needs it (struct wr_insn), and the target of a
 * call (struct wr_target). What may be moved, and how, is decided by ../runtime/x86-rules.h; who
 * owns the text is not known here.
 */
#ifndef WK_INSN_H
#define WK_INSN_H

#include <linux/types.h>

#include "runtime/advice.h"
#include "runtime/trampoline.h"
#include "runtime/x86-rules.h"

/* The displaced instructions of a splice, in order; a single one unless the splice is a jump. */
struct wk_displaced {
	u8 nr;
	u8 length; /* bytes of all of them */
	struct wr_insn insns[WR_DISPLACED_INSNS]; /* the first @nr */
};

/* Copies their bytes, @displaced->length of them, to @bytes. */
void wk_displaced_bytes(const struct wk_displaced *displaced, u8 *bytes);

/*
 * Decodes the instruction at live address @address, from the @size bytes (at most WEFT_INSN_MAX) at
 * @bytes. Returns NONE and fills @ret; UNDECODABLE; or the reason why this instruction cannot run
 * out of line. Any context.
 */
enum weft_refusal wk_insn_decode(unsigned long address, const u8 *bytes, unsigned int size,
				 struct wr_insn *ret);

/*
 * Decodes whole instructions, @size bytes of them, that are at live address @address. Any context.
 */
void wk_displaced_decode(unsigned long address, const u8 *bytes, unsigned int size,
			 struct wk_displaced *ret);
/*
 * Widens @insn by int3s among the @size bytes after it (@behind). A kernel that needs no return
 * thunks turns each jump to one into a return and four int3s. Control never reaches those int3s, so
 * they count as part of the return, which then has room for a jump. Any context.
 */
void wk_insn_widen(struct wr_insn *insn, const u8 *behind, unsigned int size);

/* What is decoded of every instruction of a function; kept small, since there are many. */
struct wk_step {
	struct wr_fields fields;
	u8 length;
	/*
	 * It changes state that C code relies on besides registers: the direction flag, or whether
	 * user memory is open.
	 */
	bool sanitize;
	bool calls, jumps; /* to the direct @target; a jump may be conditional */
	bool lost;	   /* its target cannot be known: far jumps, returns from interrupts */
	unsigned long target; /* live; 0: neither */
};

/*
 * Decodes the instruction at live address @address, from the @size bytes at @bytes. False if the
 * decoder fails. Any context.
 */
bool wk_insn_step(unsigned long address, const u8 *bytes, unsigned int size, struct wk_step *ret);

/* The instruction's length in bytes; 0 if the decoder fails. Any context. */
unsigned int wk_insn_length(const u8 *bytes, unsigned int size);

/*
 * The target of the call @insn; for a call of an indirect-call thunk, what the thunk calls.
 * WR_TARGET_NONE if it is no call.
 */
void wk_insn_target(const struct wr_insn *insn, struct wr_target *ret);

#endif /* WK_INSN_H */
