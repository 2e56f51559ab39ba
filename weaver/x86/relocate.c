// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Relocation's facts; see relocate.h. Where an instruction goes and what it addresses is Capstone's word; which branch it is, and
 * whether it may move, is read from the opcode, behind the prefixes. Behind a VEX or EVEX prefix there are no branches.
 */
#include <string.h>

#include "runtime/frame.h"
#include "x86/relocate.h"

enum {
	OP_TWO_BYTE = 0x0f,
	OP_JUMP_COND = 0x70,
	OP_MOV_SEGMENT = 0x8e,
	OP_POPF = 0x9d,
	OP_RET_POP = 0xc2,
	OP_RET = 0xc3,
	OP_XBEGIN = 0xc7,
	OP_INT3 = 0xcc,
	OP_INTO = 0xce,
	OP_IRET = 0xcf,
	OP_LOOP_FIRST = 0xe0,
	OP_LOOP_LAST = 0xe3,
	OP_CALL = 0xe8,
	OP_JUMP = 0xe9,
	OP_JUMP_SHORT = 0xeb,
	OP_HLT = 0xf4,
	OP_STI = 0xfb,
	OP_STD = 0xfd,
	OP_GROUP5 = 0xff,
	OP2_GROUP7 = 0x01,
	OP2_SYSCALL = 0x05,
	OP2_SYSRET = 0x07,
	OP2_UD2 = 0x0b,
	OP2_NOP_ENDBR = 0x1e,
	OP2_SYSENTER = 0x34,
	OP2_SYSEXIT = 0x35,
	OP2_JUMP_COND = 0x80,
	OP2_UD1 = 0xb9,
	OP2_UD0 = 0xff,
	MODRM_MONITOR = 0xc8,
	MODRM_MWAIT = 0xc9,
	MODRM_STAC = 0xcb,
	MODRM_MONITORX = 0xfa,
	MODRM_MWAITX = 0xfb,
	MODRM_XBEGIN = 0xf8,
	MODRM_ENDBR64 = 0xfa,
	GROUP5_CALL = 2,
	GROUP5_CALL_FAR = 3,
	GROUP5_JUMP = 4,
	GROUP5_JUMP_FAR = 5,
	SEGMENT_SS = 2,
	PREFIX_ADDRESS_SIZE = 0x67,
	PREFIX_OPERAND_SIZE = 0x66,
	REX_FIRST = 0x40,
	REX_LAST = 0x4f,
	REX_B = 1,
	MOD_REGISTER = 3,
	RM_SIB = 4,
	CONDITION = 0x0f,
};

/* The bytes behind the prefixes. */
struct shape {
	const uint8_t *opcode;
	size_t n;
	bool address_size, operand_size, vex;
	uint8_t rex;
};

static bool is_prefix(uint8_t byte)
{
	static const uint8_t prefixes[] = { 0xf0, 0xf2, 0xf3, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65, PREFIX_OPERAND_SIZE,
					    PREFIX_ADDRESS_SIZE };

	return memchr(prefixes, byte, sizeof(prefixes));
}

static struct shape shape_of(const uint8_t *bytes, size_t length)
{
	struct shape shape = { .opcode = bytes, .n = length };

	for (; shape.n > 1 && is_prefix(*shape.opcode); shape.opcode++, shape.n--) {
		shape.address_size |= *shape.opcode == PREFIX_ADDRESS_SIZE;
		shape.operand_size |= *shape.opcode == PREFIX_OPERAND_SIZE;
	}
	if (shape.n > 1 && *shape.opcode >= REX_FIRST && *shape.opcode <= REX_LAST) {
		shape.rex = *shape.opcode++;
		shape.n--;
	}
	/* VEX of two and three bytes, EVEX: in 64-bit mode these bytes are nothing else. */
	shape.vex = *shape.opcode == 0xc4 || *shape.opcode == 0xc5 || *shape.opcode == 0x62;
	return shape;
}

static unsigned int modrm_mod(uint8_t modrm)
{
	return modrm >> 6;
}

static unsigned int modrm_reg(uint8_t modrm)
{
	return modrm >> 3 & 7;
}

/* The pushed return address would move what an operand names that counts from %rsp. */
static bool is_stack_operand(const struct shape *shape)
{
	uint8_t modrm = shape->opcode[1];
	bool sib = modrm_mod(modrm) != MOD_REGISTER && (modrm & 7) == RM_SIB;

	if (shape->rex & REX_B)
		return false;
	if (modrm_mod(modrm) == MOD_REGISTER)
		return (modrm & 7) == WR_RSP;
	return sib && (shape->opcode[2] & 7) == WR_RSP;
}

static enum weft_refusal two_byte(const struct shape *shape, struct wr_insn *ret)
{
	uint8_t second = shape->opcode[1], modrm = shape->n > 2 ? shape->opcode[2] : 0;

	if ((second & ~CONDITION) == OP2_JUMP_COND) {
		ret->kind = WR_INSN_JUMP_COND;
		ret->condition = second & CONDITION;
	}
	switch (second) {
	case OP2_UD0:
	case OP2_UD1:
	case OP2_UD2:
		return WEFT_REFUSAL_BREAKPOINT;
	case OP2_SYSCALL:
	case OP2_SYSRET:
	case OP2_SYSENTER:
	case OP2_SYSEXIT:
		return WEFT_REFUSAL_UNRELOCATABLE;
	case OP2_GROUP7:
		return modrm == MODRM_MONITOR || modrm == MODRM_MWAIT || modrm == MODRM_MONITORX || modrm == MODRM_MWAITX ?
			       WEFT_REFUSAL_UNRELOCATABLE : WEFT_REFUSAL_NONE;
	case OP2_NOP_ENDBR:
		return modrm == MODRM_ENDBR64 ? WEFT_REFUSAL_ENDBR : WEFT_REFUSAL_NONE;
	default:
		return WEFT_REFUSAL_NONE;
	}
}

static enum weft_refusal group5(const struct shape *shape, struct wr_insn *ret)
{
	switch (modrm_reg(shape->opcode[1])) {
	case GROUP5_CALL_FAR:
	case GROUP5_JUMP_FAR:
		return WEFT_REFUSAL_UNRELOCATABLE;
	case GROUP5_CALL:
		if (is_stack_operand(shape))
			return WEFT_REFUSAL_UNRELOCATABLE;
		ret->kind = WR_INSN_CALL_INDIRECT;
		ret->modrm_offset = ret->length - shape->n + 1;
		return WEFT_REFUSAL_NONE;
	case GROUP5_JUMP:
		ret->ends = 1;
	}
	return WEFT_REFUSAL_NONE;
}

static enum weft_refusal one_byte(const struct shape *shape, struct wr_insn *ret)
{
	uint8_t first = shape->opcode[0];

	switch (first) {
	case OP_INT3 ... OP_INTO:
		return WEFT_REFUSAL_BREAKPOINT;
	case OP_IRET:
	case OP_LOOP_FIRST ... OP_LOOP_LAST:
	case OP_STI:
	case OP_HLT:
		return WEFT_REFUSAL_UNRELOCATABLE;
	case OP_XBEGIN: /* its operand is where an abort goes */
		return shape->opcode[1] == MODRM_XBEGIN ? WEFT_REFUSAL_UNRELOCATABLE : WEFT_REFUSAL_NONE;
	case OP_MOV_SEGMENT:
		return modrm_reg(shape->opcode[1]) == SEGMENT_SS ? WEFT_REFUSAL_UNRELOCATABLE : WEFT_REFUSAL_NONE;
	case OP_JUMP_COND ... OP_JUMP_COND + CONDITION:
		ret->kind = WR_INSN_JUMP_COND;
		ret->condition = first & CONDITION;
		return WEFT_REFUSAL_NONE;
	case OP_CALL:
		ret->kind = WR_INSN_CALL;
		return WEFT_REFUSAL_NONE;
	case OP_JUMP:
	case OP_JUMP_SHORT:
		ret->kind = WR_INSN_JUMP;
		return WEFT_REFUSAL_NONE;
	case OP_RET_POP:
	case OP_RET:
		ret->ends = 1;
		return WEFT_REFUSAL_NONE;
	case OP_GROUP5:
		return group5(shape, ret);
	default:
		return WEFT_REFUSAL_NONE;
	}
}

enum weft_refusal wv_relocate(struct wv_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t address, struct wr_insn *ret)
{
	enum weft_refusal refusal;
	struct wv_insn insn;
	struct shape shape;

	*ret = (struct wr_insn){ .address = address };
	if (!wv_decode(decoder, bytes, n, address, &insn))
		return WEFT_REFUSAL_UNDECODABLE;
	ret->length = insn.length;
	memcpy(ret->bytes, bytes, insn.length);
	shape = shape_of(bytes, insn.length);
	ret->kind = WR_INSN_PLAIN;
	if (insn.relative) {
		if (shape.address_size)
			return WEFT_REFUSAL_UNRELOCATABLE;
		ret->kind = WR_INSN_RIP;
		ret->disp_offset = insn.disp_offset;
		ret->target = insn.operand;
	}
	if (shape.vex)
		return WEFT_REFUSAL_NONE;
	refusal = shape.opcode[0] == OP_TWO_BYTE ? two_byte(&shape, ret) : one_byte(&shape, ret);
	if (insn.direct)
		ret->target = insn.target;
	/* With this prefix some processors take the displacement for 16 bits. */
	if (insn.direct && shape.operand_size)
		return WEFT_REFUSAL_UNRELOCATABLE;
	ret->ends |= ret->kind == WR_INSN_JUMP || ret->kind == WR_INSN_CALL || ret->kind == WR_INSN_CALL_INDIRECT;
	return refusal;
}

bool wv_relocate_needs_sanitize(const uint8_t *bytes, size_t length)
{
	struct shape shape = shape_of(bytes, length);

	if (shape.vex)
		return false;
	if (shape.opcode[0] == OP_TWO_BYTE)
		return shape.n > 2 && shape.opcode[1] == OP2_GROUP7 && shape.opcode[2] == MODRM_STAC;
	return shape.opcode[0] == OP_STD || shape.opcode[0] == OP_POPF;
}
