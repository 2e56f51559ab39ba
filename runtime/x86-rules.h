/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an x86-64 instruction is to whoever splices it: may it run at another address, where does
 * control go, is it padding. One table answers for weft.ko and for the weaver, which find
 * instructions by different decoders (the kernel's, Capstone). Freestanding, as trampoline.h is.
 *
 * An instruction is one that both x86-fields.c and the decoder know, with one length:
 *
 *	if (!wr_fields_read(&fields, bytes, size) || fields.length != (what the decoder says))
 *		return WEFT_REFUSAL_UNDECODABLE;
 *	return wr_rules_relocate(&fields, bytes, address, &insn);
 *
 * What is no instruction of 64-bit mode, what processors' makers give different lengths, and what
 * the kernel's decoder is known to get wrong, is none here. tests/oracle/x86-sweep.c compares both
 * sides, objdump and the processor on all opcode maps.
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
	WR_FLOW_TRAP, /* int3, ud2, hlt: nothing says that it goes on at all */
};

struct wr_rule {
	__u8 refusal; /* enum weft_refusal: why it may not run at another address; NONE: it may */
	__u8 flow;    /* enum wr_flow */
	bool direct;  /* to a target that its immediate says */
	bool far;     /* to an address that may be any: nobody can follow it */
	bool rewritten; /* moved, it is made of other opcodes: its prefixes are left out */
};

extern const struct wr_rule wr_rules[WR_NR_BEHAVIORS];

static inline const struct wr_rule *wr_rule_of(const struct wr_fields *fields)
{
	return &wr_rules[fields->behavior];
}

/*
 * Makes @ret of the instruction at @address, whose bytes are @bytes, for the emitter. Returns NONE,
 * or why it cannot run at another address; @ret is filled as far as it is known.
 */
enum weft_refusal wr_rules_relocate(const struct wr_fields *fields, const __u8 *bytes,
				    __u64 address, struct wr_insn *ret);

/*
 * What stands between functions and before branch targets: nops as compilers write them, and int3.
 */
enum wr_filling {
	WR_FILLING_NONE,
	WR_FILLING_NOP,
	WR_FILLING_INT3,
};

enum wr_filling wr_filling_of(const struct wr_fields *fields);

/*
 * Padding is filling that nobody runs, so that a springboard slot may be put there: it follows,
 * with nothing but filling in between, an instruction that control leaves for good, and no branch
 * comes to it. An int3 right behind a jump or return stays: it stops what the processor runs there
 * on speculation.
 */
enum wr_before {
	WR_BEFORE_REACHED, /* control comes to what follows, or may */
	WR_BEFORE_LEFT,	   /* control leaves there */
	WR_BEFORE_PADDED,  /* that is padding itself */
};

/*
 * Is an instruction padding that follows on @before, which then is what the next one follows on? A
 * function's first follows on REACHED. @blocked: somebody owns it, or a branch comes to it.
 * @leaves: control leaves there for good; where a jump label's jump may become a nop, it does not.
 */
bool wr_padding_next(enum wr_before *before, enum wr_filling filling, bool blocked, bool leaves);

/* By the instruction alone. */
static inline bool wr_leaves(const struct wr_fields *fields)
{
	const struct wr_rule *rule = wr_rule_of(fields);

	return rule->flow == WR_FLOW_JUMP || rule->flow == WR_FLOW_RETURN;
}

/*
 * Where the kernel needs no return thunks it makes a return and four int3s of each jump to one. The
 * int3s, which nobody comes to, count as part of the return: it has room for a jump. Of the @size
 * bytes at @bytes, do the first WEFT_JUMP_SIZE hold such a wide return?
 */
bool wr_is_wide_return(const __u8 *bytes, unsigned int size);

#endif /* WEFT_X86_RULES_H */
