// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the registers and flags that one instruction reads and writes; see effects.h. ret->uses has
 * the registers that are read, and ret->kills those that are written as a whole, whatever their old
 * value was. If in doubt, ret->uses has too many registers and ret->kills too few, never the other
 * way round. What the target of a jump, call or return reads is not included; the caller adds it.
 */
#include "runtime/frame.h"
#include "x86/effects.h"
#include "x86/status-flags.h"

#define ALL (WR_BIT(WR_FLAGS + 1) - 1)
#define FLAGS WR_BIT(WR_FLAGS)
#define RAX WR_BIT(WR_RAX)
#define RDX WR_BIT(WR_RDX)
#define RSP WR_BIT(WR_RSP)

#define FAMILY(name, full, low, word, byte) \
	case X86_REG_##full: case X86_REG_##low: case X86_REG_##word: case X86_REG_##byte: \
		return WR_##name

/* The number of the general register that @reg is a part of; WR_NONE if @reg is another kind. */
static unsigned int number_of(unsigned int reg)
{
	switch (reg) {
	FAMILY(RAX, RAX, EAX, AX, AL);
	FAMILY(RBX, RBX, EBX, BX, BL);
	FAMILY(RCX, RCX, ECX, CX, CL);
	FAMILY(RDX, RDX, EDX, DX, DL);
	FAMILY(RSI, RSI, ESI, SI, SIL);
	FAMILY(RDI, RDI, EDI, DI, DIL);
	FAMILY(RBP, RBP, EBP, BP, BPL);
	FAMILY(RSP, RSP, ESP, SP, SPL);
	FAMILY(R8, R8, R8D, R8W, R8B);
	FAMILY(R9, R9, R9D, R9W, R9B);
	FAMILY(R10, R10, R10D, R10W, R10B);
	FAMILY(R11, R11, R11D, R11W, R11B);
	FAMILY(R12, R12, R12D, R12W, R12B);
	FAMILY(R13, R13, R13D, R13W, R13B);
	FAMILY(R14, R14, R14D, R14W, R14B);
	FAMILY(R15, R15, R15D, R15W, R15B);
	case X86_REG_AH: return WR_RAX;
	case X86_REG_BH: return WR_RBX;
	case X86_REG_CH: return WR_RCX;
	case X86_REG_DH: return WR_RDX;
	default: return WR_NONE;
	}
}

static uint32_t bit_of(unsigned int reg)
{
	unsigned int number = number_of(reg);

	return number == WR_NONE ? 0 : WR_BIT(number);
}

/*
 * Returns the general registers that an operand names. Returns ALL for a register of another kind
 * (control, vector, ...), because its effects are not known here.
 */
static uint32_t named_by(const cs_x86_op *operand)
{
	switch (operand->type) {
	case X86_OP_REG:
		return number_of(operand->reg) == WR_NONE ? ALL : bit_of(operand->reg);
	case X86_OP_MEM:
		return bit_of(operand->mem.base) | bit_of(operand->mem.index);
	default:
		return 0;
	}
}

/*
 * Returns the register's bit if the operand is a register that is written as a whole, else 0. An
 * instruction that writes the lower 32 bits writes the whole register, because it clears the upper
 * 32.
 */
static uint32_t whole(const cs_x86_op *operand)
{
	return operand->type == X86_OP_REG && operand->size >= 4 ? bit_of(operand->reg) : 0;
}

/*
 * Returns whether the instruction is an xor or sub of a register with itself. Its result is 0,
 * whatever the register held, so it does not count as reading the register.
 */
static bool makes_zero(const cs_insn *insn)
{
	const cs_x86_op *operands = insn->detail->x86.operands;

	return (insn->id == X86_INS_XOR || insn->id == X86_INS_SUB) &&
	       operands[0].type == X86_OP_REG && operands[1].type == X86_OP_REG &&
	       operands[0].reg == operands[1].reg && whole(&operands[0]);
}

/*
 * Returns whether the instruction gives every status flag a value that does not depend on the
 * flag's old value. It does not if the manuals leave a flag undefined: the flag may then keep its
 * old value, and some code relies on what real processors do. Only AF may be left undefined,
 * because no instruction of 64-bit mode acts on it.
 */
static bool writes_flags(const cs_insn *insn)
{
	struct wv_flag_effects effects;

	wv_flag_effects(insn, &effects);
	return (effects.defined | (effects.undefined & WV_AF)) == WV_STATUS_FLAGS;
}

static void product(const cs_insn *insn, struct wv_insn *ret)
{
	const cs_x86 *x86 = &insn->detail->x86;

	if (x86->op_count == 1) {
		ret->uses |= RAX;
		/*
		 * A product of bytes is in ax alone, so rdx keeps its value. A product of words
		 * writes dx, which is only a part of rdx.
		 */
		if (x86->operands[0].size >= 4)
			ret->kills |= RDX;
		else
			ret->uses |= RDX;
	} else if (x86->op_count == 3) {
		ret->uses = named_by(&x86->operands[1]);
		ret->kills |= whole(&x86->operands[0]);
		ret->uses |= whole(&x86->operands[0]) ? 0 : named_by(&x86->operands[0]);
	}
}

/* An instruction with two operands that writes the first one without reading it. */
static void move(const cs_insn *insn, struct wv_insn *ret)
{
	const cs_x86_op *operands = insn->detail->x86.operands;

	ret->kills = whole(&operands[0]);
	if (ret->kills)
		ret->uses = named_by(&operands[1]);
}

/*
 * Returns whether the instruction is a jcc, setcc, cmovcc, adc or sbb. These read the flags, and
 * the registers of their operands.
 */
static bool reads_flags(const cs_insn *insn)
{
	switch (insn->id) {
	case X86_INS_JAE: case X86_INS_JA: case X86_INS_JBE: case X86_INS_JB: case X86_INS_JE:
	case X86_INS_JGE: case X86_INS_JG: case X86_INS_JLE: case X86_INS_JL: case X86_INS_JNE:
	case X86_INS_JNO: case X86_INS_JNP: case X86_INS_JNS: case X86_INS_JO: case X86_INS_JP:
	case X86_INS_JS:
	case X86_INS_SETAE: case X86_INS_SETA: case X86_INS_SETBE: case X86_INS_SETB:
	case X86_INS_SETE: case X86_INS_SETGE: case X86_INS_SETG: case X86_INS_SETLE:
	case X86_INS_SETL: case X86_INS_SETNE: case X86_INS_SETNO: case X86_INS_SETNP:
	case X86_INS_SETNS: case X86_INS_SETO: case X86_INS_SETP: case X86_INS_SETS:
	case X86_INS_CMOVAE: case X86_INS_CMOVA: case X86_INS_CMOVBE: case X86_INS_CMOVB:
	case X86_INS_CMOVE: case X86_INS_CMOVGE: case X86_INS_CMOVG: case X86_INS_CMOVLE:
	case X86_INS_CMOVL: case X86_INS_CMOVNE: case X86_INS_CMOVNO: case X86_INS_CMOVNP:
	case X86_INS_CMOVNS: case X86_INS_CMOVO: case X86_INS_CMOVP: case X86_INS_CMOVS:
	case X86_INS_ADC: case X86_INS_SBB:
		return true;
	default:
		return false;
	}
}

void wv_effects(const cs_insn *insn, struct wv_insn *ret)
{
	const cs_x86 *x86 = &insn->detail->x86;

	ret->uses = RSP;
	ret->kills = writes_flags(insn) ? FLAGS : 0;
	for (size_t i = 0; i < x86->op_count; i++)
		ret->uses |= named_by(&x86->operands[i]);
	switch (insn->id) {
	case X86_INS_NOP: case X86_INS_ENDBR64: case X86_INS_PAUSE: case X86_INS_LFENCE:
	case X86_INS_MFENCE: case X86_INS_SFENCE:
	case X86_INS_UD2: /* WARN() and BUG(): the handler prints registers, but depends on none */
		ret->uses = 0;
		break;
	case X86_INS_MOV: case X86_INS_MOVABS: case X86_INS_MOVZX: case X86_INS_MOVSX:
	case X86_INS_MOVSXD: case X86_INS_LEA:
		/* If an operand is a control or segment register, uses is ALL and stays so. */
		if (ret->uses != ALL)
			move(insn, ret);
		break;
	case X86_INS_XOR: case X86_INS_SUB:
		if (makes_zero(insn)) {
			ret->kills |= ret->uses & ~RSP;
			ret->uses = 0;
		}
		break;
	case X86_INS_ADD: case X86_INS_AND: case X86_INS_OR: case X86_INS_CMP: case X86_INS_TEST:
	case X86_INS_NEG: case X86_INS_XADD:
	case X86_INS_INC: case X86_INS_DEC: case X86_INS_NOT: case X86_INS_XCHG: case X86_INS_BSWAP:
	case X86_INS_SHL: case X86_INS_SHR: case X86_INS_SAR: case X86_INS_ROL: case X86_INS_ROR:
	case X86_INS_SHLD: case X86_INS_SHRD: case X86_INS_BT: case X86_INS_BTS: case X86_INS_BTR:
	case X86_INS_BTC: case X86_INS_BSF: case X86_INS_BSR: case X86_INS_PUSH: case X86_INS_LEAVE:
		break;
	case X86_INS_POP:
		if (whole(&x86->operands[0]) && ret->uses != ALL) {
			ret->kills = whole(&x86->operands[0]) & ~RSP;
			ret->uses = RSP;
		}
		break;
	case X86_INS_IMUL: case X86_INS_MUL:
		product(insn, ret);
		break;
	case X86_INS_DIV: case X86_INS_IDIV:
		ret->uses |= RAX | RDX;
		break;
	case X86_INS_CMPXCHG:
		ret->uses |= RAX;
		break;
	case X86_INS_CWDE: case X86_INS_CDQE: case X86_INS_CBW:
		ret->uses |= RAX;
		break;
	case X86_INS_CDQ: case X86_INS_CQO:
		ret->uses |= RAX;
		ret->kills = RDX;
		break;
	default:
		if (reads_flags(insn)) {
			ret->uses |= FLAGS;
			break;
		}
		/*
		 * For a jump, call or return, .uses has only what the instruction itself reads; the
		 * caller adds what the target reads. Any other instruction that comes here is
		 * unknown, and may read anything.
		 */
		if (ret->control != WR_CONTROL_JUMP && ret->control != WR_CONTROL_CALL &&
		    ret->control != WR_CONTROL_RETURN)
			ret->uses = ALL;
	}
}

static uint32_t register_of(const cs_x86_op *operand)
{
	return operand->type == X86_OP_REG ? bit_of(operand->reg) : 0;
}

uint32_t wv_changes(const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;
	const cs_x86_op *operands = x86->operands;

	switch (insn->id) {
	case X86_INS_CMP: case X86_INS_TEST: case X86_INS_BT: case X86_INS_NOP:
	case X86_INS_ENDBR64:
	case X86_INS_PAUSE:
	case X86_INS_LFENCE:
	case X86_INS_MFENCE:
	case X86_INS_SFENCE:
	case X86_INS_UD2: /* WARN() and BUG() */
		return 0;
	case X86_INS_MOV: case X86_INS_MOVABS: case X86_INS_MOVZX: case X86_INS_MOVSX:
	case X86_INS_MOVSXD: case X86_INS_LEA:
	case X86_INS_ADD: case X86_INS_SUB: case X86_INS_AND: case X86_INS_OR: case X86_INS_XOR:
	case X86_INS_INC: case X86_INS_DEC: case X86_INS_NOT: case X86_INS_NEG:
	case X86_INS_SHL: case X86_INS_SHR: case X86_INS_SAR: case X86_INS_ROL: case X86_INS_ROR:
	case X86_INS_BTS: case X86_INS_BTR: case X86_INS_BTC: case X86_INS_BSF: case X86_INS_BSR:
		return register_of(&operands[0]);
	case X86_INS_XCHG: case X86_INS_XADD:
		return register_of(&operands[0]) | register_of(&operands[1]);
	case X86_INS_PUSH: case X86_INS_POP:
		return register_of(&operands[0]) | RSP;
	case X86_INS_CMPXCHG:
		return register_of(&operands[0]) | RAX;
	case X86_INS_IMUL: case X86_INS_MUL: case X86_INS_DIV: case X86_INS_IDIV:
		return register_of(&operands[0]) | RAX | RDX;
	default:
		return reads_flags(insn) ? register_of(&operands[0]) : ALL;
	}
}
