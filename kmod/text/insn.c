// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decoding for relocation. The rule is to name what may move and to refuse the rest: an instruction
 * whose effect depends on its own address, on the instruction before it, or on an address that a
 * fault handler looks up, stays.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <asm/insn.h>

#include "text/insn.h"
#include "text/insn-table.h"
#include "base/unexported.h"

enum {
	OP_JUMP_COND =
		0x70, /* and the 15 after it; second byte 0x80 and the 15 after it for 32 bits */
	OP2_JUMP_COND = 0x80,
	OP_MOV_SEGMENT = 0x8e,
	OP_NOP = 0x90,
	OP_RET_POP = 0xc2,
	OP_RET = 0xc3,
	OP_INT3 = 0xcc,
	OP_INT = 0xcd,
	OP_INTO = 0xce,
	OP_IRET = 0xcf,
	OP_LOOP_FIRST = 0xe0, /* loopne, loope, loop, jrcxz */
	OP_LOOP_LAST = 0xe3,
	OP_CALL = 0xe8,
	OP_JUMP = 0xe9,
	OP_JUMP_SHORT = 0xeb,
	OP_HLT = 0xf4,
	OP_STI = 0xfb,
	OP_STD = 0xfd,
	OP_POPF = 0x9d,
	OP_GROUP5 = 0xff,
	OP2_GROUP7 = 0x01,
	OP2_SYSCALL = 0x05,
	OP2_SYSRET = 0x07,
	OP2_SYSENTER = 0x34,
	OP2_SYSEXIT = 0x35,
	OP2_UD1 = 0xb9,
	OP2_UD0 = 0xff,
	OP2_ENDBR = 0x1e,
	OP2_NOP = 0x1f,
	MODRM_MONITOR = 0xc8,
	MODRM_MWAIT = 0xc9,
	MODRM_MONITORX = 0xfa,
	MODRM_MWAITX = 0xfb,
	MODRM_STAC = 0xcb,
	MODRM_ENDBR64 = 0xfa,
	GROUP5_CALL = 2,
	GROUP5_CALL_FAR = 3,
	GROUP5_JUMP = 4,
	GROUP5_JUMP_FAR = 5,
	SEGMENT_SS = 2,
	INDEX_NONE = 4,
};

static bool is_rip_relative(const struct wk_insn_fields *insn)
{
	return insn->modrm_at && X86_MODRM_MOD(insn->modrm) == 0 && X86_MODRM_RM(insn->modrm) == RM_DISP32;
}

/* The second byte of 0f xx. */
static enum weft_refusal check_two_byte(const struct wk_insn_fields *insn)
{
	u8 modrm = insn->modrm;

	switch (insn->second) {
	case OP2_UD0:
	case OP2_UD1:
	case OP2_UD2:
		/* BUG() and WARN(): the handler finds the report by the address. */
		return WEFT_REFUSAL_BREAKPOINT;
	case OP2_SYSCALL:
	case OP2_SYSRET:
	case OP2_SYSENTER:
	case OP2_SYSEXIT:
		return WEFT_REFUSAL_UNRELOCATABLE;
	case OP2_GROUP7:
		/* An interrupt between the pair would be slept through. */
		if (modrm == MODRM_MONITOR || modrm == MODRM_MWAIT || modrm == MODRM_MONITORX || modrm == MODRM_MWAITX)
			return WEFT_REFUSAL_UNRELOCATABLE;
		return WEFT_REFUSAL_NONE;
	case OP2_ENDBR:
		return modrm == MODRM_ENDBR64 ? WEFT_REFUSAL_ENDBR : WEFT_REFUSAL_NONE;
	default:
		return WEFT_REFUSAL_NONE;
	}
}

static enum weft_refusal check_one_byte(const struct wk_insn_fields *insn)
{
	switch (insn->opcode) {
	case OP_INT3:
	case OP_INT:
	case OP_INTO:
		return WEFT_REFUSAL_BREAKPOINT;
	case OP_IRET:
	case OP_LOOP_FIRST ... OP_LOOP_LAST:
		return WEFT_REFUSAL_UNRELOCATABLE;
	case OP_STI:
	case OP_HLT:
		/*
		 * sti holds interrupts off for one more instruction: `sti; hlt` must stay a pair.
		 */
		return WEFT_REFUSAL_UNRELOCATABLE;
	case OP_MOV_SEGMENT:
		/* Loading ss holds them off as well. */
		return X86_MODRM_REG(insn->modrm) == SEGMENT_SS ? WEFT_REFUSAL_UNRELOCATABLE : WEFT_REFUSAL_NONE;
	case OP_GROUP5:
		switch (X86_MODRM_REG(insn->modrm)) {
		case GROUP5_CALL_FAR:
		case GROUP5_JUMP_FAR:
			return WEFT_REFUSAL_UNRELOCATABLE;
		}
		return WEFT_REFUSAL_NONE;
	default:
		return WEFT_REFUSAL_NONE;
	}
}

/* A SIB byte's base register as encoded, or the ModRM's where there is no SIB. */
static bool base_is_rsp(const struct wk_insn_fields *insn)
{
	if (X86_MODRM_MOD(insn->modrm) == MOD_REGISTER)
		return X86_MODRM_RM(insn->modrm) == WR_RSP && !X86_REX_B(insn->rex);
	return insn->has_sib && X86_SIB_BASE(insn->sib) == WR_RSP && !X86_REX_B(insn->rex);
}

static void set_branch(const struct wk_insn_fields *insn, enum wr_insn_kind kind, struct wr_insn *ret)
{
	ret->kind = kind;
	ret->target = ret->address + insn->length + insn->immediate;
}

/* Does something else than the next instruction come next? */
static bool ends(const struct wk_insn_fields *insn, const struct wr_insn *from)
{
	u8 first = insn->opcode;

	if (from->kind == WR_INSN_JUMP || from->kind == WR_INSN_CALL || from->kind == WR_INSN_CALL_INDIRECT)
		return true;
	if (insn->has_vex)
		return false;
	return first == OP_RET || first == OP_RET_POP ||
	       (first == OP_GROUP5 && X86_MODRM_REG(insn->modrm) == GROUP5_JUMP);
}

static enum weft_refusal classify(const struct wk_insn_fields *insn, struct wr_insn *ret)
{
	u8 first = insn->opcode, second = insn->second;

	ret->kind = WR_INSN_PLAIN;
	if (is_rip_relative(insn)) {
		if (insn->has_address_size)
			return WEFT_REFUSAL_UNRELOCATABLE;
		ret->kind = WR_INSN_RIP;
		ret->disp_offset = insn->displacement_at;
		ret->target = ret->address + insn->length + insn->displacement;
	}
	/* Behind a VEX or EVEX prefix the opcode bytes come from other maps: no branches there. */
	if (insn->has_vex)
		return WEFT_REFUSAL_NONE;
	if (first == OP_TWO_BYTE) {
		if ((second & 0xf0) == OP2_JUMP_COND) {
			ret->condition = second & 0x0f;
			set_branch(insn, WR_INSN_JUMP_COND, ret);
		}
		return check_two_byte(insn);
	}
	if ((first & 0xf0) == OP_JUMP_COND) {
		ret->condition = first & 0x0f;
		set_branch(insn, WR_INSN_JUMP_COND, ret);
	} else if (first == OP_JUMP || first == OP_JUMP_SHORT) {
		set_branch(insn, WR_INSN_JUMP, ret);
	} else if (first == OP_CALL) {
		set_branch(insn, WR_INSN_CALL, ret);
	} else if (first == OP_GROUP5 && X86_MODRM_REG(insn->modrm) == GROUP5_CALL) {
		/* The pushed return address would move what an rsp-relative operand names. */
		if (base_is_rsp(insn))
			return WEFT_REFUSAL_UNRELOCATABLE;
		ret->kind = WR_INSN_CALL_INDIRECT;
		ret->modrm_offset = insn->modrm_at;
	}
	return check_one_byte(insn);
}

enum weft_refusal wk_insn_decode(unsigned long address, const u8 *bytes, unsigned int size,
				 struct wr_insn *ret)
{
	enum weft_refusal refusal;
	struct wk_insn_fields insn;

	memset(ret, 0, sizeof(*ret));
	if (!wk_insn_fields_read(bytes, size, &insn))
		return WEFT_REFUSAL_UNDECODABLE;
	ret->address = address;
	ret->length = insn.length;
	memcpy(ret->bytes, bytes, insn.length);
	refusal = classify(&insn, ret);
	ret->ends = ends(&insn, ret);
	return refusal;
}

void wk_displaced_decode(unsigned long address, const u8 *bytes, unsigned int size, struct wk_displaced *ret)
{
	ret->nr = ret->length = 0;
	while (ret->length < size && ret->nr < WR_DISPLACED_INSNS) {
		struct wr_insn *insn = &ret->insns[ret->nr++];

		wk_insn_decode(address + ret->length, bytes + ret->length, size - ret->length, insn);
		wk_insn_widen(insn, bytes + ret->length + insn->length, size - ret->length - insn->length);
		ret->length += insn->length;
	}
}

void wk_displaced_bytes(const struct wk_displaced *displaced, u8 *bytes)
{
	for (unsigned int i = 0; i < displaced->nr; bytes += displaced->insns[i++].length)
		memcpy(bytes, displaced->insns[i].bytes, displaced->insns[i].length);
}

unsigned int wk_insn_length(const u8 *bytes, unsigned int size)
{
	struct wk_insn_fields insn;

	return wk_insn_fields_read(bytes, size, &insn) ? insn.length : 0;
}

static bool needs_sanitize(const struct wk_insn_fields *insn)
{
	switch (insn->opcode) {
	case OP_TWO_BYTE:
		return insn->second == OP2_GROUP7 && insn->modrm == MODRM_STAC;
	case OP_STD:
	case OP_POPF:
		return true;
	default:
		return false;
	}
}

static int flow_of(const struct wk_insn_fields *insn)
{
	switch (insn->opcode) {
	case OP_TWO_BYTE:
		return (insn->second & 0xf0) == OP2_JUMP_COND ? WK_FLOW_JUMP : WK_FLOW_NEXT;
	case OP_JUMP_COND ... OP_JUMP_COND + 0xf:
	case OP_LOOP_FIRST ... OP_LOOP_LAST:
	case OP_JUMP:
	case OP_JUMP_SHORT:
		return WK_FLOW_JUMP;
	case OP_CALL:
		return WK_FLOW_CALL;
	case OP_IRET:
		return WK_FLOW_LOST;
	case OP_GROUP5:
		return X86_MODRM_REG(insn->modrm) == GROUP5_JUMP_FAR ||
				       X86_MODRM_REG(insn->modrm) == GROUP5_CALL_FAR ?
			       WK_FLOW_LOST :
			       WK_FLOW_NEXT;
	default:
		return WK_FLOW_NEXT;
	}
}

bool wk_insn_step(unsigned long address, const u8 *bytes, unsigned int size, struct wk_step *ret)
{
	struct wk_insn_fields insn;

	if (!wk_insn_fields_read(bytes, size, &insn))
		return false;
	*ret = (struct wk_step){ .length = insn.length };
	/* Behind a VEX or EVEX prefix the opcode bytes come from other maps: none of these. */
	if (insn.has_vex)
		return true;
	ret->sanitize = needs_sanitize(&insn);
	ret->flow = flow_of(&insn);
	ret->target = address + insn.length + insn.immediate;
	return true;
}

void wk_insn_widen(struct wr_insn *insn, const u8 *behind, unsigned int size)
{
	enum { RETURN = 0xc3, INT3 = 0xcc };
	static const u8 int3s[WEFT_JUMP_SIZE - 1] = { INT3, INT3, INT3, INT3 };

	if (insn->length != 1 || insn->bytes[0] != RETURN || size != sizeof(int3s) || memcmp(behind, int3s, size))
		return;
	memcpy(insn->bytes + 1, behind, size);
	insn->length += size;
}

/* 90, 0f 1f /0 and both with prefixes, which make them longer. */
bool wk_insn_is_nop(const struct wr_insn *from)
{
	struct wk_insn_fields insn;

	if (!wk_insn_fields_read(from->bytes, from->length, &insn) || insn.has_vex)
		return false;
	if (insn.opcode == OP_NOP)
		return true;
	return insn.opcode == OP_TWO_BYTE && insn.second == OP2_NOP;
}

/* The thunks stand in an array, one a register, in the order of the registers' numbers. */
static bool thunk_register(unsigned long target, struct wr_target *ret)
{
	enum { THUNK_SIZE = 32 };
	unsigned long offset = target - wk_unexported.thunk_array;

	if (!wk_unexported.thunk_array || target < wk_unexported.thunk_array ||
	    offset >= WR_NR_REGISTERS * THUNK_SIZE || offset % THUNK_SIZE)
		return false;
	ret->kind = WR_TARGET_REGISTER;
	ret->base = offset / THUNK_SIZE;
	return true;
}

static void memory_target(const struct wk_insn_fields *insn, const struct wr_insn *from,
			  struct wr_target *ret)
{
	u8 rex_b = X86_REX_B(insn->rex) ? 8 : 0;
	u8 rex_x = X86_REX_X(insn->rex) ? 8 : 0;
	u8 mod = X86_MODRM_MOD(insn->modrm);

	ret->kind = WR_TARGET_MEMORY;
	ret->value = from->disp_offset ? (long)from->target : insn->displacement;
	ret->base = ret->index = WR_NONE;
	if (from->disp_offset)
		return;
	ret->base = X86_MODRM_RM(insn->modrm) | rex_b;
	if (!insn->has_sib)
		return;
	ret->base = X86_SIB_BASE(insn->sib) | rex_b;
	if (mod == 0 && X86_SIB_BASE(insn->sib) == RM_DISP32)
		ret->base = WR_NONE;
	if (X86_SIB_INDEX(insn->sib) != INDEX_NONE || rex_x) {
		ret->index = X86_SIB_INDEX(insn->sib) | rex_x;
		ret->scale = 1 << X86_SIB_SCALE(insn->sib);
	}
}

/* ff /2 or, a call in tail position, ff /4. */
static bool is_indirect_branch(const struct wk_insn_fields *insn)
{
	u8 group = X86_MODRM_REG(insn->modrm);

	return !insn->has_vex && insn->opcode == OP_GROUP5 && (group == GROUP5_CALL || group == GROUP5_JUMP);
}

void wk_insn_target(const struct wr_insn *from, struct wr_target *ret)
{
	struct wk_insn_fields insn;

	memset(ret, 0, sizeof(*ret));
	ret->base = ret->index = WR_NONE;
	/* A jump is a call in tail position, or no call at all: then nobody asks. */
	if (from->kind == WR_INSN_CALL || from->kind == WR_INSN_JUMP) {
		if (!thunk_register(from->target, ret)) {
			ret->kind = WR_TARGET_FIXED;
			ret->value = from->target;
		}
		return;
	}
	if (!wk_insn_fields_read(from->bytes, from->length, &insn) || !is_indirect_branch(&insn))
		return;
	if (X86_MODRM_MOD(insn.modrm) == MOD_REGISTER) {
		ret->kind = WR_TARGET_REGISTER;
		ret->base = X86_MODRM_RM(insn.modrm) | (X86_REX_B(insn.rex) ? 8 : 0);
		return;
	}
	memory_target(&insn, from, ret);
}
