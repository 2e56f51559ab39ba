/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules for splicing x86-64 instructions: may one run at another address, where does control go, is
 * it padding. weft.ko and the weaver share this table, but find instructions with different
 * decoders (the kernel's, and Capstone). Freestanding, like trampoline.h.
 *
 * An instruction is accepted if both x86-fields.c and the decoder know it, with the same length:
 *	if (!wr_fields_read(&fields, bytes, size) || fields.length != (what the decoder says))
 *		return WEFT_REFUSAL_UNDECODABLE;
 *	return wr_rules_relocate(&fields, bytes, address, &insn);
 *
 * Not accepted are: what is no instruction in 64-bit mode, what has different lengths on different
 * vendors' processors, and what the kernel's decoder is known to get wrong.
 * tests/oracle/x86-sweep.c compares both sides, objdump and the processor on all opcode maps.
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
	WR_FLOW_TRAP, /* int3, ud2, hlt: may not continue at all */
};

struct wr_rule {
	__u8 refusal; /* enum weft_refusal: why it may not run at another address; NONE: it may */
	__u8 flow;    /* enum wr_flow */
	bool direct;  /* to a target that is encoded in its immediate */
	bool far;     /* to an address that cannot be determined */
	bool rewritten; /* relocation re-encodes it, without its prefixes */
};

extern const struct wr_rule wr_rules[WR_NR_BEHAVIORS];

static inline const struct wr_rule *wr_rule_of(const struct wr_fields *fields)
{
	return &wr_rules[fields->behavior];
}

/*
 * Fills @ret for the emitter, from the instruction at @address whose bytes are @bytes. Returns
 * NONE, or why it cannot run at another address; @ret is then filled as far as it is known.
 */
enum weft_refusal wr_rules_relocate(const struct wr_fields *fields, const __u8 *bytes,
				    __u64 address, struct wr_insn *ret);

/*
 * Filling: the instructions between functions and before branch targets, that is, nops as compilers
 * emit them, and int3.
 */
enum wr_filling {
	WR_FILLING_NONE,
	WR_FILLING_NOP,
	WR_FILLING_INT3,
};

enum wr_filling wr_filling_of(const struct wr_fields *fields);

/*
 * Padding is filling that is never executed, so a springboard slot may be put there: it follows,
 * with only filling in between, an instruction that control certainly leaves at, and it is no
 * branch target. An int3 right behind a jump or return is kept: it stops speculative execution
 * there.
 */
enum wr_before {
	WR_BEFORE_REACHED, /* control may reach what follows */
	WR_BEFORE_LEFT,	   /* control leaves there */
	WR_BEFORE_PADDED,  /* that is padding itself */
};

/*
 * Is the instruction behind @before padding? @before is updated for the next instruction; it is
 * REACHED for a function's first. @blocked: the instruction has an owner, or is a branch target.
 * @leaves: control certainly leaves there; false for a jump label's jump, which may become a nop.
 */
bool wr_padding_next(enum wr_before *before, enum wr_filling filling, bool blocked, bool leaves);

/* By the instruction alone. */
static inline bool wr_leaves(const struct wr_fields *fields)
{
	const struct wr_rule *rule = wr_rule_of(fields);

	return rule->flow == WR_FLOW_JUMP || rule->flow == WR_FLOW_RETURN;
}

/*
 * If the kernel needs no return thunks, it replaces each jump to one with a return and four int3s.
 * The int3s, which are not reached, count as part of the return, so that there is room for a jump.
 * Do the first WEFT_JUMP_SIZE of the @size bytes at @bytes hold such a wide return?
 */
bool wr_is_wide_return(const __u8 *bytes, unsigned int size);

#endif /* WEFT_X86_RULES_H */
