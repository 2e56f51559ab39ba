// SPDX-License-Identifier: GPL-2.0-or-later
/* Encodes x86-64 instructions; see encode.h. The opcodes have the names of Intel's manual. */
#include "encode.h"

enum {
	REX_W = 0x48,
	REX_R = 0x04,
	REX_X = 0x02,
	REX_B = 0x41,
	PREFIX_GS = 0x65,
	OP_PUSHFQ = 0x9c,
	OP_POPFQ = 0x9d,
	OP_CLD = 0xfc,
	OP_PUSH = 0x50,
	OP_POP = 0x58,
	OP_LEA = 0x8d,
	OP_STORE = 0x89, /* mov %reg, r/m */
	OP_LOAD = 0x8b,	 /* mov r/m, %reg */
	OP_COMPARE = 0x39, /* cmp %reg, r/m */
	OP_TEST8 = 0x84,   /* test %reg8, r/m8 */
	OP_MOV_IMM64 = 0xb8,
	OP_MOV_IMM32 = 0xc7, /* sign-extended with REX.W */
	OP_PUSH_IMM32 = 0x68,
	OP_GROUP1_IMM32 = 0x81, /* ModRM's reg 4: and */
	OP_GROUP1_IMM8 = 0x83,	/* ModRM's reg 7: cmp; sign-extended */
	OP_SHIFT = 0xc1, /* ModRM's reg 5: shr $imm8, r/m */
	OP_POP_MEMORY = 0x8f,
	OP_GROUP5 = 0xff, /* ModRM's reg 0: inc, 1: dec, 6: push */
	OP_CALL = 0xe8,
	OP_JUMP = 0xe9,
	OP_JUMP_SHORT = 0xeb,
	OP_NOP = 0x90,
	OP_INT3 = 0xcc,
	OP_TWO_BYTE = 0x0f,
	OP2_JUMP_COND = 0x80,
	OP2_CLAC = 0x01,
	MODRM_CLAC = 0xca,
	MODRM_DISP8 = 0x40,  /* disp8(base) */
	MODRM_DISP32 = 0x80, /* disp32(base) */
	MODRM_ABSOLUTE = 0x04, /* with SIB_NONE after it: the address is disp32 alone */
	MODRM_REGISTER = 0xc0,
	RM_SIB = 0x04,
	SIB_RSP = 0x24,
	SIB_NONE = 0x25,
	SIB_NO_BASE = 5, /* with ModRM's mod 0 */
	SIB_NO_INDEX = 4,
	SIB_TWICE = 0x40, /* added once for a scale of 2, twice for 4, three times for 8 */
	EXT_INC = 0,
	EXT_DEC = 1,
	EXT_PUSH = 6,
	EXT_POP = 0,
	EXT_SHR = 5,
	EXT_AND = 4,
	EXT_COMPARE = 7,
	EXT_MOV = 0,
};

void wr_put(struct wr_code *code, __u8 byte)
{
	if (code->error)
		return;
	if (code->n == code->size) {
		code->error = WR_TRAMPOLINE_ROOM;
		return;
	}
	code->bytes[code->n++] = byte;
}

/*
 * Appends the lowest @bytes (1, 4 or 8) bytes of @value. Four bytes, the usual number, are written
 * with one store, because a weave emits thousands of trampolines.
 */
static void put_n(struct wr_code *code, __u64 value, unsigned int bytes)
{
	const __u32 low = value;

	if (code->error)
		return;
	if (bytes > code->size - code->n) {
		code->error = WR_TRAMPOLINE_ROOM;
		return;
	}
	if (bytes == sizeof(low))
		__builtin_memcpy(code->bytes + code->n, &low, sizeof(low));
	else if (bytes == sizeof(value))
		__builtin_memcpy(code->bytes + code->n, &value, sizeof(value));
	else
		code->bytes[code->n] = value;
	code->n += bytes;
}

/*
 * Appends the lower half of @value, which the processor will sign-extend to 64 bits. Sets the error
 * if the result of that is not @value.
 */
static void put_signed(struct wr_code *code, __u64 value)
{
	if ((__s64)value != (__s32)value && !code->error)
		code->error = WR_TRAMPOLINE_RANGE;
	put_n(code, value, 4);
}

void wr_put_relative(struct wr_code *code, __u64 target, unsigned int after)
{
	put_signed(code, target - (wr_here(code) + 4 + after));
}

void wr_pushfq(struct wr_code *code)
{
	wr_put(code, OP_PUSHFQ);
}

void wr_popfq(struct wr_code *code)
{
	wr_put(code, OP_POPFQ);
}

void wr_cld(struct wr_code *code)
{
	wr_put(code, OP_CLD);
}

void wr_clac(struct wr_code *code)
{
	wr_put(code, OP_TWO_BYTE);
	wr_put(code, OP2_CLAC);
	wr_put(code, MODRM_CLAC);
}

static void put_push_pop(struct wr_code *code, __u8 opcode, unsigned int reg)
{
	if (reg >= WR_R8)
		wr_put(code, REX_B);
	wr_put(code, opcode | (reg & 7));
}

void wr_push(struct wr_code *code, unsigned int reg)
{
	put_push_pop(code, OP_PUSH, reg);
}

void wr_pop(struct wr_code *code, unsigned int reg)
{
	put_push_pop(code, OP_POP, reg);
}

void wr_push_address(struct wr_code *code, __u64 value)
{
	wr_put(code, OP_PUSH_IMM32);
	put_signed(code, value);
}

void wr_push_high_address(struct wr_code *code, __u64 value)
{
	wr_put(code, OP_PUSH_IMM32);
	put_n(code, value, 4);
	wr_put(code, OP_MOV_IMM32);
	wr_put(code, MODRM_DISP8 | RM_SIB);
	wr_put(code, SIB_RSP);
	wr_put(code, 4);
	put_n(code, value >> 32, 4);
}

/* Appends an instruction with the operands at(%rsp) and %reg. */
static void put_stack(struct wr_code *code, __u8 opcode, unsigned int reg, __s32 at)
{
	bool is_short = at == (__s8)at;

	wr_put(code, REX_W | (reg >= WR_R8 ? REX_R : 0));
	wr_put(code, opcode);
	wr_put(code, (is_short ? MODRM_DISP8 : MODRM_DISP32) | (reg & 7) << 3 | RM_SIB);
	wr_put(code, SIB_RSP);
	put_n(code, (__u32)at, is_short ? 1 : 4);
}

void wr_store(struct wr_code *code, unsigned int reg, __s32 at)
{
	put_stack(code, OP_STORE, reg, at);
}

void wr_load(struct wr_code *code, unsigned int reg, __s32 at)
{
	put_stack(code, OP_LOAD, reg, at);
}

void wr_lea_stack(struct wr_code *code, unsigned int reg, __s32 distance)
{
	put_stack(code, OP_LEA, reg, distance);
}

bool wr_is_near(__u64 offset)
{
	return (__s64)offset == (__s32)offset;
}

void wr_mov_imm(struct wr_code *code, unsigned int reg, __u64 value)
{
	bool is_short = wr_is_near(value);

	wr_put(code, REX_W | (reg >= WR_R8 ? REX_B : 0));
	if (is_short) {
		wr_put(code, OP_MOV_IMM32);
		wr_put(code, MODRM_REGISTER | (reg & 7));
	} else {
		wr_put(code, OP_MOV_IMM64 | (reg & 7));
	}
	put_n(code, value, is_short ? 4 : 8);
}

static void put_memory_target(struct wr_code *code, unsigned int reg,
			      const struct wr_target *target)
{
	const bool based = target->base != WR_NONE, indexed = target->index != WR_NONE;
	__u8 sib = (based ? target->base & 7 : SIB_NO_BASE) |
		   (indexed ? target->index & 7 : SIB_NO_INDEX) << 3;

	for (unsigned int scale = indexed ? target->scale : 1; scale > 1; scale /= 2)
		sib += SIB_TWICE;
	wr_put(code, REX_W | (reg >= WR_R8 ? REX_R : 0) |
			     (indexed && target->index >= WR_R8 ? REX_X : 0) |
			     (based && target->base >= WR_R8 ? REX_B : 0));
	wr_put(code, OP_LOAD);
	wr_put(code, (based ? MODRM_DISP32 : 0) | (reg & 7) << 3 | RM_SIB);
	wr_put(code, sib);
	put_signed(code, target->value);
}

void wr_mov_target(struct wr_code *code, unsigned int reg, const struct wr_target *target)
{
	if (target->kind == WR_TARGET_FIXED) {
		wr_mov_imm(code, reg, target->value);
	} else if (target->kind == WR_TARGET_MEMORY) {
		put_memory_target(code, reg, target);
	} else if (target->base != reg) {
		wr_put(code, REX_W | (target->base >= WR_R8 ? REX_R : 0) |
				     (reg >= WR_R8 ? REX_B : 0));
		wr_put(code, OP_STORE);
		wr_put(code, MODRM_REGISTER | (target->base & 7) << 3 | (reg & 7));
	}
}

static __u64 get_n(const __u8 *bytes, unsigned int n)
{
	__u64 value = 0;

	while (n--)
		value = value << 8 | bytes[n];
	return value;
}

/*
 * wr_mov_imm() writes a value in one of two forms, of which the long one (movabs) is tried first
 * here. The bytes may look like the long form by chance. But it is used only for values that are
 * not near, so if the value there is near, the bytes are the other form.
 */
__u64 wr_imm_of_call(const __u8 *end, unsigned int reg)
{
	const __u8 *call = end - WR_SIZE_JUMP;
	const __u8 *mov = call - 10; /* the long form */
	const __u8 rex = REX_W | (reg >= WR_R8 ? REX_B : 0);

	if (call[0] != OP_CALL)
		return 0;
	if (mov[0] == rex && mov[1] == (OP_MOV_IMM64 | (reg & 7)) && !wr_is_near(get_n(mov + 2, 8)))
		return get_n(mov + 2, 8);
	mov = call - 7;
	if (mov[0] == rex && mov[1] == OP_MOV_IMM32 && mov[2] == (MODRM_REGISTER | (reg & 7)))
		return (__s64)(__s32)get_n(mov + 3, 4);
	return 0;
}

/*
 * Appends an instruction with the operand %gs:offset. @reg: ModRM's reg field, which is a register
 * or extends the opcode. @rex: the REX prefix; 0: none.
 */
static void put_variable(struct wr_code *code, __u8 rex, __u8 opcode, __u8 reg, __u64 offset)
{
	wr_put(code, PREFIX_GS);
	if (rex)
		wr_put(code, rex);
	wr_put(code, opcode);
	wr_put(code, MODRM_ABSOLUTE | reg << 3);
	wr_put(code, SIB_NONE);
	put_signed(code, offset);
}

void wr_inc32(struct wr_code *code, __u64 offset)
{
	put_variable(code, 0, OP_GROUP5, EXT_INC, offset);
}

void wr_dec32(struct wr_code *code, __u64 offset)
{
	put_variable(code, 0, OP_GROUP5, EXT_DEC, offset);
}

void wr_dec64(struct wr_code *code, __u64 offset)
{
	put_variable(code, REX_W, OP_GROUP5, EXT_DEC, offset);
}

void wr_inc64(struct wr_code *code, __u64 offset)
{
	put_variable(code, REX_W, OP_GROUP5, EXT_INC, offset);
}

void wr_inc64_at(struct wr_code *code, unsigned int reg)
{
	wr_put(code, PREFIX_GS);
	wr_put(code, REX_W | (reg >= WR_R8 ? REX_B : 0));
	wr_put(code, OP_GROUP5);
	wr_put(code, EXT_INC << 3 | (reg & 7));
}

void wr_load_variable(struct wr_code *code, unsigned int reg, __u64 offset)
{
	put_variable(code, 0, OP_LOAD, reg, offset);
}

void wr_store_variable(struct wr_code *code, unsigned int reg, __u64 offset)
{
	put_variable(code, REX_W, OP_STORE, reg, offset);
}

void wr_set_variable(struct wr_code *code, __u64 offset, __s32 value)
{
	put_variable(code, REX_W, OP_MOV_IMM32, EXT_MOV, offset);
	put_n(code, (__u32)value, 4);
}

void wr_compare_variable(struct wr_code *code, __u64 offset, __s8 value)
{
	put_variable(code, REX_W, OP_GROUP1_IMM8, EXT_COMPARE, offset);
	wr_put(code, (__u8)value);
}

void wr_push_variable(struct wr_code *code, __u64 offset)
{
	put_variable(code, 0, OP_GROUP5, EXT_PUSH, offset);
}

void wr_pop_variable(struct wr_code *code, __u64 offset)
{
	put_variable(code, 0, OP_POP_MEMORY, EXT_POP, offset);
}

void wr_move(struct wr_code *code, unsigned int to, unsigned int from)
{
	wr_put(code, OP_STORE);
	wr_put(code, MODRM_REGISTER | from << 3 | to);
}

void wr_compare(struct wr_code *code, unsigned int left, unsigned int right)
{
	wr_put(code, OP_COMPARE);
	wr_put(code, MODRM_REGISTER | right << 3 | left);
}

void wr_and(struct wr_code *code, unsigned int reg, __u32 mask)
{
	wr_put(code, OP_GROUP1_IMM32);
	wr_put(code, MODRM_REGISTER | EXT_AND << 3 | reg);
	put_n(code, mask, 4);
}

void wr_shift(struct wr_code *code, unsigned int reg, __u8 bits)
{
	wr_put(code, OP_SHIFT);
	wr_put(code, MODRM_REGISTER | EXT_SHR << 3 | reg);
	wr_put(code, bits);
}

void wr_call(struct wr_code *code, __u64 target)
{
	wr_put(code, OP_CALL);
	wr_put_relative(code, target, 0);
}

void wr_test_al(struct wr_code *code)
{
	wr_put(code, OP_TEST8);
	wr_put(code, MODRM_REGISTER);
}

void wr_endbr64(struct wr_code *code)
{
	static const __u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

	for (unsigned int i = 0; i < sizeof(endbr64); i++)
		wr_put(code, endbr64[i]);
}

void wr_int3(struct wr_code *code)
{
	wr_put(code, OP_INT3);
}

void wr_skip(struct wr_code *code, unsigned int bytes)
{
	if (bytes == 1)
		wr_put(code, OP_NOP);
	if (bytes < WR_SIZE_SHORT_JUMP)
		return;
	wr_put(code, OP_JUMP_SHORT);
	wr_put(code, bytes - WR_SIZE_SHORT_JUMP);
	for (bytes -= WR_SIZE_SHORT_JUMP; bytes; bytes--)
		wr_int3(code);
}

void wr_jump(struct wr_code *code, __u64 target)
{
	wr_put(code, OP_JUMP);
	wr_put_relative(code, target, 0);
}

void wr_jump_if(struct wr_code *code, __u8 condition, __u64 target)
{
	wr_put(code, OP_TWO_BYTE);
	wr_put(code, OP2_JUMP_COND | condition);
	wr_put_relative(code, target, 0);
}

__u32 wr_jump_if_forward(struct wr_code *code, __u8 condition)
{
	wr_jump_if(code, condition, wr_here(code));
	return code->n;
}

void wr_land(struct wr_code *code, __u32 jump_end)
{
	__u32 distance = code->n - jump_end;

	if (code->error)
		return;
	for (unsigned int i = 0; i < 4; i++)
		code->bytes[jump_end - 4 + i] = distance >> (8 * i);
}
