/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules for splicing x86-64 instructions: may an instruction run at another address, where does
 * control go, is it padding. weft.ko and the weaver share this table, but decode instructions with
 * different decoders (the kernel's, and Capstone). Freestanding, like trampoline.h.
 *
 * An instruction is accepted if both x86-fields.c and the decoder know it, with the same length:
 *	if (!wr_fields_read(&fields, bytes, size) || fields.length != (the decoder's length))
 *		return WEFT_REFUSAL_UNDECODABLE;
 *	return wr_rules_relocate(&fields, bytes, address, &insn);
 *
 * Not accepted are byte sequences that are undefined in 64-bit mode, instructions whose length
 * differs between processor vendors, and instructions that the kernel's decoder is known to decode
 * wrongly. tests/oracle/x86-sweep.c compares both sides, objdump and the processor on all opcode
 * maps.
 */
#ifndef WEFT_X86_RULES_H
#define WEFT_X86_RULES_H

#include "trampoline.h"
#include "x86-fields.h"

/* Where control goes. */
enum wr_flow {
	WR_FLOW_NEXT,
	WR_FLOW_CALL,
	WR_FLOW_BRANCH, /* to the next instruction or to a target */
	WR_FLOW_JUMP,
	WR_FLOW_RETURN,
	WR_FLOW_TRAP, /* int3, ud2, hlt: control may not continue at all */
};

struct wr_rule {
	__u8 refusal; /* enum weft_refusal: why it may not run at another address; NONE: it may */
	__u8 flow;    /* enum wr_flow */
	bool direct;  /* to a target that is encoded in its immediate */
	bool far;     /* to an address that cannot be determined */
	bool rewritten; /* relocation encodes it anew, without its prefixes */
};

extern const struct wr_rule wr_rules[WR_NR_BEHAVIORS];

static inline const struct wr_rule *wr_rule_of(const struct wr_fields *fields)
{
	return &wr_rules[fields->behavior];
}

/*
 * Fills @ret, the input of the trampoline emitter, for the instruction at @address, with bytes
 * @bytes. Returns NONE, or why the instruction cannot run at another address; @ret is then filled
 * as far as possible.
 */
enum weft_refusal wr_rules_relocate(const struct wr_fields *fields, const __u8 *bytes,
				    __u64 address, struct wr_insn *ret);

/*
 * Filling: the instructions that compilers put between functions and before branch targets, which
 * are nops and int3.
 */
enum wr_filling {
	WR_FILLING_NONE,
	WR_FILLING_NOP,
	WR_FILLING_INT3,
};

enum wr_filling wr_filling_of(const struct wr_fields *fields);

/*
 * Padding is filling that is never executed, so a springboard slot may be put there. It follows an
 * instruction after which control never continues, with only filling in between, and is no branch
 * target. An int3 right after a jump or return is not used: it stops speculative execution there.
 */
enum wr_before {
	WR_BEFORE_REACHED, /* control may reach what follows */
	WR_BEFORE_LEFT,	   /* control never continues after that instruction */
	WR_BEFORE_PADDED,  /* that instruction is padding itself */
};

/*
 * Is an instruction padding? @before: what precedes it (REACHED for a function's first); it is
 * updated for the next instruction. @filling: its wr_filling_of(). @blocked: it has an owner, or is
 * a branch target. @leaves: control never continues after it; false for the jump of a jump label,
 * which may become a nop.
 */
bool wr_padding_next(enum wr_before *before, enum wr_filling filling, bool blocked, bool leaves);

/* Does control never continue after it? Considers the instruction alone. */
static inline bool wr_leaves(const struct wr_fields *fields)
{
	const struct wr_rule *rule = wr_rule_of(fields);

	return rule->flow == WR_FLOW_JUMP || rule->flow == WR_FLOW_RETURN;
}

/*
 * If the kernel needs no return thunks, it replaces each jump to one with a return and four int3s.
 * Control does not reach the int3s, so they count as part of the return, which makes room for a
 * jump. Do the first WEFT_JUMP_SIZE of the @size bytes at @bytes hold such a wide return?
 */
bool wr_is_wide_return(const __u8 *bytes, unsigned int size);

#endif /* WEFT_X86_RULES_H */
