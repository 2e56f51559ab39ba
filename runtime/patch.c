// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The patch emitter; patch.h has the picture. Every instruction it can write is a function with its
 * name below.
 */
#ifndef __KERNEL__
#include <stdbool.h>
#endif

#include "frame.h"
#include "patch.h"

/* Where code is being written. Once something failed, nothing more is written. */
struct code {
	__u8 *bytes;
	__u32 n, size;
	__u64 address; /* live address of bytes[0] */
	int error;
};

enum {
	REX_W = 0x48,
	REX_R = 0x04,
	OP_PUSHFQ = 0x9c,
	OP_POPFQ = 0x9d,
	OP_CLD = 0xfc,
	OP_LEA = 0x8d,
	OP_STORE = 0x89, /* mov %reg, r/m */
	OP_LOAD = 0x8b,	 /* mov r/m, %reg */
	OP_MOV_IMM = 0xb8,
	OP_PUSH_IMM32 = 0x68,
	OP_CALL = 0xe8,
	OP_JUMP = 0xe9,
	OP_TWO_BYTE = 0x0f,
	OP2_JUMP_COND = 0x80,
	OP2_CLAC = 0x01,
	MODRM_CLAC = 0xca,
	MODRM_DISP32_SIB = 0x84, /* disp32(SIB), %reg 0 */
	MODRM_DISP8_SIB = 0x44,
	SIB_RSP = 0x24,
	MODRM_REGISTERS = 0xc0,
	MODRM_REG_MASK = 0x38,
	MODRM_REG_JUMP = 0x20, /* ff /4; ff /2 is the call */
};

enum {
	FRAME_REGISTERS = WR_NR_REGISTERS * 8,
	/* pushfq + cld + clac + lea, 16 stores, 9 loads, lea + popfq, relocated sequence, jmp */
	PATCH_FIXED = 1 + 1 + 3 + 8 + WR_NR_REGISTERS * 5 + 9 * 5 + 8 + 1 + 5 + WEFT_INSN_MAX + 5,
	PATCH_CALL = 3 + 10 + 5,
};

static void put(struct code *code, __u8 byte)
{
	if (code->error)
		return;
	if (code->n == code->size) {
		code->error = WR_PATCH_ROOM;
		return;
	}
	code->bytes[code->n++] = byte;
}

static void put_n(struct code *code, __u64 value, unsigned int bytes)
{
	while (bytes--) {
		put(code, value & 0xff);
		value >>= 8;
	}
}

/* A 32-bit displacement to @target that is counted from @after bytes behind its own end. */
static void put_relative(struct code *code, __u64 target, unsigned int after)
{
	__s64 distance = target - (code->address + code->n + 4 + after);

	if (distance != (__s32)distance && !code->error)
		code->error = WR_PATCH_RANGE;
	put_n(code, distance, 4);
}

/* mov %reg, offset(%rsp) or mov offset(%rsp), %reg; neither touches flags. */
static void emit_frame_move(struct code *code, __u8 opcode, unsigned int reg)
{
	put(code, REX_W | (reg >= WR_R8 ? REX_R : 0));
	put(code, opcode);
	put(code, MODRM_DISP8_SIB | (reg & 7) << 3);
	put(code, SIB_RSP);
	put(code, reg * 8);
}

/* lea distance(%rsp), %rsp: moves the stack pointer and leaves the flags alone. */
static void emit_move_stack(struct code *code, __s32 distance)
{
	put(code, REX_W);
	put(code, OP_LEA);
	put(code, MODRM_DISP32_SIB | WR_RSP << 3);
	put(code, SIB_RSP);
	put_n(code, (__u32)distance, 4);
}

/*
 * A splice between stac and clac: user memory is open there, for the code around and nobody else.
 * popfq opens it again.
 */
static void emit_clac(struct code *code)
{
	put(code, OP_TWO_BYTE);
	put(code, OP2_CLAC);
	put(code, MODRM_CLAC);
}

static void emit_jump(struct code *code, __u64 target)
{
	put(code, OP_JUMP);
	put_relative(code, target, 0);
}

static void emit_advice_call(struct code *code, struct wr_call *call)
{
	put(code, REX_W);
	put(code, OP_STORE);
	put(code, MODRM_REGISTERS | WR_RSP << 3 | WR_RDI);
	put(code, REX_W);
	put(code, OP_MOV_IMM + WR_RSI);
	put_n(code, call->shadow, 8);
	call->offset = code->n;
	put(code, OP_CALL);
	put_relative(code, call->entry, 0);
}

/*
 *	call target   ->   push $return_address
 *			   jmp  target
 * The push sign-extends 32 bits: right for the top 2 GiB, where kernel text and modules are.
 */
static void emit_push_return(struct code *code, const struct wr_insn *insn)
{
	__u64 value = insn->address + insn->length;

	if ((__u64)(__s64)(__s32)value != value && !code->error)
		code->error = WR_PATCH_RANGE;
	put(code, OP_PUSH_IMM32);
	put_n(code, value, 4);
}

/*
 * The instruction's bytes, with its rip-relative displacement, if any, counted from here; @jump
 * turns the indirect call (ff /2) into the jump (ff /4).
 */
static void emit_copy(struct code *code, const struct wr_insn *insn, bool jump)
{
	for (unsigned int i = 0; i < insn->length; i++) {
		if (insn->disp_offset && i == insn->disp_offset) {
			put_relative(code, insn->target, insn->length - i - 4);
			i += 3;
		} else if (jump && i == insn->modrm_offset) {
			put(code, (insn->bytes[i] & ~MODRM_REG_MASK) | MODRM_REG_JUMP);
		} else {
			put(code, insn->bytes[i]);
		}
	}
}

static void emit_relocated(struct code *code, const struct wr_insn *insn)
{
	switch (insn->kind) {
	case WR_INSN_PLAIN:
	case WR_INSN_RIP:
		emit_copy(code, insn, false);
		break;
	case WR_INSN_JUMP:
		emit_jump(code, insn->target);
		break;
	case WR_INSN_JUMP_COND:
		put(code, OP_TWO_BYTE);
		put(code, OP2_JUMP_COND | insn->condition);
		put_relative(code, insn->target, 0);
		break;
	case WR_INSN_CALL:
		emit_push_return(code, insn);
		emit_jump(code, insn->target);
		break;
	case WR_INSN_CALL_INDIRECT:
		emit_push_return(code, insn);
		emit_copy(code, insn, true);
		break;
	}
}

static void emit_registers(struct code *code, __u8 opcode, __u32 registers)
{
	for (unsigned int reg = 0; reg < WR_NR_REGISTERS; reg++)
		if (registers & WR_BIT(reg) && reg != WR_RSP)
			emit_frame_move(code, opcode, reg);
}

__u32 wr_patch_bound(__u32 calls)
{
	return PATCH_FIXED + calls * PATCH_CALL;
}

int wr_patch_emit(__u8 *buffer, __u32 size, __u64 address, const struct wr_insn *insn, __u32 needs,
		  __u32 flags, struct wr_call *calls, __u32 nr_calls)
{
	struct code code = { .bytes = buffer, .size = size, .address = address };

	put(&code, OP_PUSHFQ);
	put(&code, OP_CLD);
	if (flags & WR_PATCH_CLAC)
		emit_clac(&code);
	emit_move_stack(&code, -FRAME_REGISTERS);
	emit_registers(&code, OP_STORE, WR_CALLER_SAVED | needs);
	for (__u32 i = 0; i < nr_calls; i++)
		emit_advice_call(&code, &calls[i]);
	emit_registers(&code, OP_LOAD, WR_CALLER_SAVED);
	emit_move_stack(&code, FRAME_REGISTERS);
	put(&code, OP_POPFQ);
	emit_relocated(&code, insn);
	emit_jump(&code, insn->address + insn->length);
	return code.error ? -code.error : (int)code.n;
}
