// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of rules, one for each enum wr_behavior; see x86-rules.h. */
#include "frame.h"
#include "x86-rules.h"

const struct wr_rule wr_rules[WR_NR_BEHAVIORS] = {
	[WR_UNDEFINED] = { WEFT_REFUSAL_UNDECODABLE, WR_CONTROL_NEXT },
	[WR_PLAIN] = { WEFT_REFUSAL_NONE, WR_CONTROL_NEXT },
	[WR_SANITIZE] = { WEFT_REFUSAL_NONE, WR_CONTROL_NEXT },
	[WR_JUMP] = { WEFT_REFUSAL_NONE, WR_CONTROL_JUMP, .direct = true, .rewritten = true },
	[WR_JUMP_COND] = { WEFT_REFUSAL_NONE, WR_CONTROL_BRANCH, .direct = true,
			   .rewritten = true },
	/*
	 * The displacement of loop and jrcxz has only 8 bits, too short to reach from a trampoline.
	 */
	[WR_LOOP] = { WEFT_REFUSAL_UNRELOCATABLE, WR_CONTROL_BRANCH, .direct = true },
	/*
	 * xbegin: the transaction would begin in the trampoline, but after an abort execution would
	 * go on at the original target.
	 */
	[WR_XBEGIN] = { WEFT_REFUSAL_UNRELOCATABLE, WR_CONTROL_BRANCH, .direct = true },
	[WR_CALL] = { WEFT_REFUSAL_NONE, WR_CONTROL_CALL, .direct = true, .rewritten = true },
	[WR_CALL_INDIRECT] = { WEFT_REFUSAL_NONE, WR_CONTROL_CALL, .rewritten = true },
	[WR_JUMP_INDIRECT] = { WEFT_REFUSAL_NONE, WR_CONTROL_JUMP },
	[WR_RETURN] = { WEFT_REFUSAL_NONE, WR_CONTROL_RETURN },
	/* The target of lret is on the stack: code may use lret to jump into its own middle. */
	[WR_RETURN_FAR] = { WEFT_REFUSAL_NONE, WR_CONTROL_RETURN, .far = true },
	/*
	 * Not moved: a far call pushes the address of the next instruction, which would be one in
	 * the trampoline. Far jumps and calls also load a code segment.
	 */
	[WR_JUMP_FAR] = { WEFT_REFUSAL_UNRELOCATABLE, WR_CONTROL_JUMP, .far = true },
	[WR_CALL_FAR] = { WEFT_REFUSAL_UNRELOCATABLE, WR_CONTROL_CALL, .far = true },
	/*
	 * iret and the like end an exception or interrupt. Advice cannot run there: the stack or
	 * the page tables may be switched already.
	 */
	[WR_RETURN_EVENT] = { WEFT_REFUSAL_UNRELOCATABLE, WR_CONTROL_RETURN, .far = true },
	/*
	 * syscall and the like save the address of the next instruction; control returns there
	 * later.
	 */
	[WR_SYSTEM_CALL] = { WEFT_REFUSAL_UNRELOCATABLE, WR_CONTROL_NEXT },
	/*
	 * The handlers of BUG() and WARN() look up what to report by the instruction's address.
	 * Debuggers do likewise.
	 */
	[WR_BREAKPOINT] = { WEFT_REFUSAL_BREAKPOINT, WR_CONTROL_TRAP },
	/*
	 * sti and mov to ss hold interrupts off until the end of the next instruction. In a
	 * trampoline the next instruction might be the jump back, so the one that should be
	 * protected would not be.
	 */
	[WR_SHADOW] = { WEFT_REFUSAL_UNRELOCATABLE, WR_CONTROL_NEXT },
	/*
	 * These instructions must follow each other directly: monitor and mwait, or sti and hlt. In
	 * a trampoline an interrupt could come in between; the CPU would miss what it waits for,
	 * and sleep.
	 */
	[WR_PAIRED] = { WEFT_REFUSAL_UNRELOCATABLE, WR_CONTROL_NEXT },
	[WR_HALT] = { WEFT_REFUSAL_UNRELOCATABLE, WR_CONTROL_TRAP },
	/* An endbr64 is where indirect branches land, so it must stay at its address. */
	[WR_ENDBR] = { WEFT_REFUSAL_ENDBR, WR_CONTROL_NEXT },
};

/* Opcodes of filling and returns. */
enum {
	NOP = 0x90,
	RET = 0xc3,
	INT3 = 0xcc,
	LONG_NOP = 0x1f, /* after 0f */
};

/* Is the base register (SIB's, or ModRM's if there is no SIB) rsp? */
static bool base_is_rsp(const struct wr_fields *fields)
{
	if (fields->rex & WR_REX_B)
		return false;
	if (wr_modrm_mod(fields->modrm) == WR_MOD_REGISTER)
		return wr_modrm_rm(fields->modrm) == WR_RSP;
	return fields->sib_at && wr_modrm_rm(fields->sib) == WR_RSP;
}

static enum weft_refusal fill_branch(const struct wr_fields *fields, struct wr_insn *ret)
{
	enum { CONDITION = 0x0f };

	switch (fields->behavior) {
	case WR_JUMP:
		ret->kind = WR_INSN_JUMP;
		break;
	case WR_JUMP_COND:
		ret->kind = WR_INSN_JUMP_COND;
		ret->condition = fields->opcode & CONDITION;
		break;
	case WR_CALL:
		ret->kind = WR_INSN_CALL;
		break;
	case WR_CALL_INDIRECT:
		/* Pushing the return address changes what an rsp-relative operand refers to. */
		if (base_is_rsp(fields))
			return WEFT_REFUSAL_UNRELOCATABLE;
		ret->kind = WR_INSN_CALL_INDIRECT;
		ret->modrm_offset = fields->modrm_at;
		return WEFT_REFUSAL_NONE;
	default:
		return WEFT_REFUSAL_NONE;
	}
	ret->target = wr_branch_target(fields, ret->address);
	return WEFT_REFUSAL_NONE;
}

enum weft_refusal wr_rules_relocate(const struct wr_fields *fields, const __u8 *bytes,
				    __u64 address, struct wr_insn *ret)
{
	const struct wr_rule *rule = wr_rule_of(fields);

	*ret = (struct wr_insn){ .address = address, .length = fields->length };
	__builtin_memcpy(ret->bytes, bytes, fields->length);
	ret->ends = rule->control == WR_CONTROL_JUMP || rule->control == WR_CONTROL_CALL ||
		    rule->control == WR_CONTROL_RETURN;
	ret->kind = WR_INSN_PLAIN;
	if (wr_is_rip_relative(fields)) {
		ret->kind = WR_INSN_RIP;
		ret->disp_offset = fields->displacement_at;
		ret->target = wr_rip_operand(fields, address);
	}
	if (rule->refusal)
		return rule->refusal;
	/* The address size prefix truncates the operand's address to 32 bits. */
	if (ret->kind == WR_INSN_RIP && fields->prefixes & WR_PREFIX_ADDRESS)
		return WEFT_REFUSAL_UNRELOCATABLE;
	/*
	 * With prefix 66 some processors truncate the target, and the return address, to 16 bits.
	 */
	if (rule->rewritten && fields->prefixes & WR_PREFIX_DATA)
		return WEFT_REFUSAL_UNRELOCATABLE;
	return fill_branch(fields, ret);
}

enum wr_filling wr_filling_of(const struct wr_fields *fields)
{
	enum { DIGIT_NOP = 0 };
	const unsigned int other = WR_PREFIX_LOCK | WR_PREFIX_REP | WR_PREFIX_REPNE |
				   WR_PREFIX_EMULATE;

	if (fields->encoding != WR_LEGACY || fields->prefixes & other)
		return WR_FILLING_NONE;
	switch (fields->map) {
	case WR_MAP_ONE_BYTE:
		if (fields->opcode == INT3 && fields->length == 1)
			return WR_FILLING_INT3;
		/* with REX.B, opcode 90 is an xchg with r8 */
		return fields->opcode == NOP && !(fields->rex & WR_REX_B) ? WR_FILLING_NOP :
									       WR_FILLING_NONE;
	case WR_MAP_0F:
		return fields->opcode == LONG_NOP && wr_modrm_reg(fields->modrm) == DIGIT_NOP ?
			       WR_FILLING_NOP :
			       WR_FILLING_NONE;
	default:
		return WR_FILLING_NONE;
	}
}

bool wr_padding_next(enum wr_before *before, enum wr_filling filling, bool blocked, bool leaves)
{
	if (*before != WR_BEFORE_REACHED && filling && !blocked) {
		const bool stays = *before == WR_BEFORE_LEFT && filling == WR_FILLING_INT3;

		*before = WR_BEFORE_PADDED;
		return !stays;
	}
	*before = leaves ? WR_BEFORE_LEFT : WR_BEFORE_REACHED;
	return false;
}

bool wr_is_wide_return(const __u8 *bytes, unsigned int size)
{
	if (size < WEFT_JUMP_SIZE || bytes[0] != RET)
		return false;
	for (unsigned int i = 1; i < WEFT_JUMP_SIZE; i++)
		if (bytes[i] != INT3)
			return false;
	return true;
}
