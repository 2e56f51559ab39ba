/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes instructions of the live kernel for relocation (struct wr_insn), and the targets of calls
 * (struct wr_target). runtime/x86-rules.h decides what may be moved, and how. Who owns the text is
 * checked elsewhere (text-check.h).
 */
#ifndef WK_INSN_H
#define WK_INSN_H

#include <linux/types.h>

#include "runtime/advice.h"
#include "runtime/trampoline.h"
#include "runtime/x86-rules.h"

/* The displaced instructions of a splice, in order; several only under a jump or a springboard. */
struct wk_displaced {
	u8 nr;
	u8 length; /* bytes of all displaced instructions */
	struct wr_insn insns[WR_DISPLACED_INSNS]; /* the first @nr are valid */
};

/* Copies the bytes of the displaced instructions, @displaced->length of them, to @bytes. */
void wk_displaced_bytes(const struct wk_displaced *displaced, u8 *bytes);

/*
 * Decodes the instruction at live address @address, from the @size bytes (at most WEFT_INSN_MAX) at
 * @bytes. Returns NONE and fills @ret; UNDECODABLE; or the reason why this instruction cannot run
 * out of line. Any context.
 */
enum weft_refusal wk_insn_decode(unsigned long address, const u8 *bytes, unsigned int size,
				 struct wr_insn *ret);

/*
 * Decodes the @size bytes at @bytes, which are whole instructions at live address @address, into
 * @ret. Any context.
 */
void wk_displaced_decode(unsigned long address, const u8 *bytes, unsigned int size,
			 struct wk_displaced *ret);
/*
 * If @insn is a return of one byte, and the @size bytes at @after, which follow it, begin with four
 * int3s, makes @insn five bytes long. In a kernel that needs no return thunks, each jump to a
 * return thunk was replaced by a return and four int3s. Control never reaches those int3s, so they
 * can count as part of the return, which then has room for a jump. Any context.
 */
void wk_insn_widen(struct wr_insn *insn, const u8 *after, unsigned int size);

/*
 * The facts about each instruction that the decoding of functions (function.c) needs; kept small,
 * since there are many instructions.
 */
struct wk_step {
	struct wr_fields fields;
	u8 length;
	/*
	 * After the instruction, the direction flag may be set, or user memory open (stac). C code
	 * assumes that neither is the case.
	 */
	bool sanitize;
	/* a direct call of @target, or a direct jump to @target, which may be conditional */
	bool calls, jumps;
	/* a branch whose targets cannot be known, such as a far jump or a return from interrupt */
	bool lost;
	unsigned long target; /* live address; 0: neither a direct call nor a direct jump */
};

/*
 * Decodes the instruction at live address @address, from the @size bytes at @bytes. False if the
 * decoder fails. Any context.
 */
bool wk_insn_step(unsigned long address, const u8 *bytes, unsigned int size, struct wk_step *ret);

/* The instruction's length in bytes; 0 if the decoder fails. Any context. */
unsigned int wk_insn_length(const u8 *bytes, unsigned int size);

/*
 * Finds the target of @insn, a call or jump; if it is a branch to an indirect-call thunk, the
 * target of that thunk. @ret->kind is WR_TARGET_NONE if @insn is neither a call nor a jump, or if
 * its operand cannot be described.
 */
void wk_insn_target(const struct wr_insn *insn, struct wr_target *ret);

/*
 * Finds the thunk by which code must jump to the address in register @reg, in order to do what the
 * call or jump @insn does. Sets *@ret to its live address, or to 0 if none is needed. Returns false
 * if the thunk is not known.
 */
bool wk_insn_thunk(const struct wr_insn *insn, unsigned int reg, unsigned long *ret);

#endif /* WK_INSN_H */
