/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules for splicing x86-64 instructions: may an instruction run at another address, where does
 * control go after it, is it padding. weft.ko and the weaver share these rules. The decoder is the
 * kernel's in weft.ko, and Capstone in the weaver. Freestanding, like trampoline.h.
 *
 * An instruction is accepted if both x86-fields.c and the decoder know it, with the same length:
 *	if (!wr_fields_read(&fields, bytes, size) || fields.length != (the decoder's length))
 *		return WEFT_REFUSAL_UNDECODABLE;
 *	return wr_rules_relocate(&fields, bytes, address, &insn);
 *
 * Byte sequences that are undefined in 64-bit mode are not accepted, nor are instructions whose
 * length differs between processor vendors, nor those that the kernel's decoder is known to decode
 * wrongly. tests/oracle/x86-sweep.c compares both sides, objdump and the processor on all opcode
 * maps.
 */
#ifndef WEFT_X86_RULES_H
#define WEFT_X86_RULES_H

#include "trampoline.h"
#include "x86-fields.h"

/* Where control goes after an instruction. */
enum wr_control {
	WR_CONTROL_NEXT,
	WR_CONTROL_CALL,
	WR_CONTROL_BRANCH, /* to the next instruction or to a target */
	WR_CONTROL_JUMP,
	WR_CONTROL_RETURN,
	WR_CONTROL_TRAP, /* int3, ud2, hlt: control may not continue at all */
};

struct wr_rule {
	/* enum weft_refusal: why the instruction may not run at another address; NONE: it may */
	__u8 refusal;
	__u8 control; /* enum wr_control */
	bool direct;  /* a branch whose target is encoded in the instruction's immediate */
	bool far;     /* a branch to an address that cannot be determined */
	/* the trampoline gets a newly encoded instruction, without the original's prefixes */
	bool rewritten;
};

extern const struct wr_rule wr_rules[WR_NR_BEHAVIORS];

static inline const struct wr_rule *wr_rule_of(const struct wr_fields *fields)
{
	return &wr_rules[fields->behavior];
}

/*
 * Fills @ret, which the trampoline emitter takes, for the instruction at @address whose bytes are
 * @bytes. Returns NONE; or why the instruction cannot run at another address, and then @ret is
 * filled as far as possible.
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
 * Padding is filling that is never executed, so a springboard slot may be put there. Padding
 * follows an instruction after which control never continues, with only filling in between, and is
 * no branch target. An int3 right after a jump or return is not padding: it stops speculative
 * execution there.
 */
enum wr_before {
	WR_BEFORE_REACHED, /* the instruction before may let control through */
	WR_BEFORE_LEFT,	   /* control never continues after the instruction before */
	WR_BEFORE_PADDED,  /* the instruction before is padding itself */
};

/*
 * Returns whether an instruction is padding. Call it for a function's instructions in order.
 * *@before: REACHED at the first call; each call updates it for the next. @filling: wr_filling_of()
 * of the instruction. @blocked: the instruction has an owner (a patch site, say), or is a branch
 * target. @leaves: control never continues after the instruction; false for the jump of a jump
 * label, which may become a nop.
 */
bool wr_padding_next(enum wr_before *before, enum wr_filling filling, bool blocked, bool leaves);

/* Does control never continue after the instruction? Patch sites are not considered. */
static inline bool wr_leaves(const struct wr_fields *fields)
{
	const struct wr_rule *rule = wr_rule_of(fields);

	return rule->control == WR_CONTROL_JUMP || rule->control == WR_CONTROL_RETURN;
}

/*
 * Returns whether the first WEFT_JUMP_SIZE of the @size bytes at @bytes are a wide return: a return
 * and four int3s. A kernel that needs no return thunks writes these over each jump to a return
 * thunk. Control never reaches the int3s, so all five bytes can count as one return, which has room
 * for a jump.
 */
bool wr_is_wide_return(const __u8 *bytes, unsigned int size);

#endif /* WEFT_X86_RULES_H */
