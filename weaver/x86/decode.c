// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Capstone behind three functions; see decode.h. Its own record of what an operand is used for is right in Intel's order of
 * operands only, so that the handle which fills struct wv_insn is not the one that writes text.
 */
#include <capstone/capstone.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/frame.h"
#include "x86/decode.h"
#include "x86/effects.h"
#include "base/notation.h"

struct wv_decoder {
	csh text, detail;
	cs_insn *insn, *detailed; /* reused: one allocation each for any number of instructions */
};

void wv_decoder_destroy(struct wv_decoder *decoder)
{
	if (!decoder)
		return;
	if (decoder->insn)
		cs_free(decoder->insn, 1);
	if (decoder->detailed)
		cs_free(decoder->detailed, 1);
	if (decoder->text)
		cs_close(&decoder->text);
	if (decoder->detail)
		cs_close(&decoder->detail);
	free(decoder);
}

int wv_decoder_create(struct wv_decoder **ret, struct wv_error *error)
{
	struct wv_decoder *decoder = calloc(1, sizeof(*decoder));

	*ret = NULL;
	if (!decoder)
		return wv_no_memory(error);
	if (cs_open(CS_ARCH_X86, CS_MODE_64, &decoder->text) != CS_ERR_OK ||
	    cs_open(CS_ARCH_X86, CS_MODE_64, &decoder->detail) != CS_ERR_OK ||
	    cs_option(decoder->text, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT) != CS_ERR_OK ||
	    cs_option(decoder->detail, CS_OPT_DETAIL, CS_OPT_ON) != CS_ERR_OK) {
		wv_decoder_destroy(decoder);
		return wv_fail(error, WV_E_FAILURE, "Capstone cannot decode x86-64");
	}
	decoder->insn = cs_malloc(decoder->text);
	decoder->detailed = cs_malloc(decoder->detail);
	if (!decoder->insn || !decoder->detailed) {
		wv_decoder_destroy(decoder);
		return wv_no_memory(error);
	}
	*ret = decoder;
	return 0;
}

/*
 * Instructions that Capstone 4.0.2 does not know or, ud1, takes for shorter. ud1's operands are any two registers: static
 * call trampolines have one as a mark.
 */
static const struct unknown {
	uint8_t length, fixed; /* so many of the bytes name it */
	uint8_t bytes[5];
	const char *name;
} unknown[] = {
	{ 3, 2, { 0x0f, 0xb9 }, "ud1" },
	{ 3, 3, { 0x0f, 0x01, 0xe8 }, "serialize" },
	{ 3, 3, { 0x0f, 0x01, 0xee }, "rdpkru" },
	{ 3, 3, { 0x0f, 0x01, 0xef }, "wrpkru" },
	{ 3, 3, { 0x0f, 0x01, 0xfa }, "monitorx" },
	{ 3, 3, { 0x0f, 0x01, 0xfb }, "mwaitx" },
	{ 4, 4, { 0x66, 0x0f, 0xae, 0xf1 }, "tpause" },
	{ 5, 5, { 0xc4, 0xe2, 0x78, 0x49, 0xc0 }, "tilerelease" },
};

enum { UD1 = 0, UD1_REGISTERS = 0xc0 /* the ModRM byte of two registers, at least */ };

static const struct unknown *find_unknown(const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		if (n < unknown[i].length || memcmp(bytes, unknown[i].bytes, unknown[i].fixed))
			continue;
		if (i != UD1 || bytes[2] >= UD1_REGISTERS)
			return &unknown[i];
	}
	return NULL;
}

size_t wv_decode_length(struct wv_decoder *decoder, const uint8_t *bytes, size_t n,
			uint64_t address)
{
	const struct unknown *found = find_unknown(bytes, n);

	if (found)
		return found->length;
	return cs_disasm_iter(decoder->text, &bytes, &n, &address, decoder->insn) ?
		       decoder->insn->size : 0;
}

static enum wv_flow flow_of(const struct wv_decoder *decoder)
{
	const cs_insn *insn = decoder->detailed;

	switch (insn->id) {
	case X86_INS_JMP:
	case X86_INS_LJMP:
		return WV_FLOW_JUMP;
	case X86_INS_INT3:
	case X86_INS_UD2:
	case X86_INS_HLT:
		return WV_FLOW_TRAP;
	}
	if (cs_insn_group(decoder->detail, insn, CS_GRP_RET) ||
	    cs_insn_group(decoder->detail, insn, CS_GRP_IRET))
		return WV_FLOW_RETURN;
	if (cs_insn_group(decoder->detail, insn, CS_GRP_CALL))
		return WV_FLOW_CALL;
	return cs_insn_group(decoder->detail, insn, CS_GRP_JUMP) ? WV_FLOW_BRANCH : WV_FLOW_NEXT;
}

/* The one memory operand that has a base register; the string instructions' two have no displacement. */
static void fill_memory(const cs_insn *insn, struct wv_insn *ret)
{
	const cs_x86 *x86 = &insn->detail->x86;

	for (size_t i = 0; i < x86->op_count; i++) {
		const cs_x86_op *operand = &x86->operands[i];

		if (operand->type != X86_OP_MEM || operand->mem.segment != X86_REG_INVALID ||
		    operand->mem.base == X86_REG_INVALID || operand->mem.base == X86_REG_RIP)
			continue;
		ret->has_memory = true;
		ret->displacement = operand->mem.disp;
		ret->lea = insn->id == X86_INS_LEA;
		ret->reads = !ret->lea && (operand->access & CS_AC_READ);
		ret->writes = !ret->lea && (operand->access & CS_AC_WRITE);
		return;
	}
}

static void fill_constant(const cs_insn *insn, struct wv_insn *ret)
{
	const cs_x86 *x86 = &insn->detail->x86;

	for (size_t i = 0; i < x86->op_count && !ret->direct; i++) {
		if (x86->operands[i].type != X86_OP_IMM)
			continue;
		ret->has_constant = true;
		ret->constant = x86->operands[i].imm;
	}
}

static void fill_relative(const cs_insn *insn, struct wv_insn *ret)
{
	const cs_x86 *x86 = &insn->detail->x86;

	for (size_t i = 0; i < x86->op_count; i++) {
		const cs_x86_op *operand = &x86->operands[i];

		if (operand->type != X86_OP_MEM || operand->mem.base != X86_REG_RIP)
			continue;
		ret->relative = true;
		ret->operand = insn->address + insn->size + operand->mem.disp;
		ret->disp_offset = x86->encoding.disp_offset;
		return;
	}
}

static uint8_t register_number(x86_reg reg, uint8_t *shift_ret)
{
	static const x86_reg names[][4] = {
		{ X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL },
		{ X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL },
		{ X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL },
		{ X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL },
		{ X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL },
		{ X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL },
		{ X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL },
		{ X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL },
		{ X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B },
		{ X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B },
		{ X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B },
		{ X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B },
		{ X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B },
		{ X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B },
		{ X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B },
		{ X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B },
	};
	static const x86_reg high[] = { X86_REG_AH, X86_REG_CH, X86_REG_DH, X86_REG_BH };

	*shift_ret = 0;
	if (reg == X86_REG_INVALID)
		return WV_NO_REGISTER;
	for (uint8_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		for (size_t size = 0; size < 4; size++)
			if (names[i][size] == reg)
				return i;
	for (uint8_t i = 0; i < sizeof(high) / sizeof(*high); i++) {
		if (high[i] != reg)
			continue;
		*shift_ret = 8;
		return i;
	}
	return WV_NO_REGISTER;
}

/* Registers that stand for each other, or for where it goes. */
static void fill_registers(const cs_insn *insn, struct wv_insn *ret)
{
	const cs_x86 *x86 = &insn->detail->x86;
	const cs_x86_op *operands = x86->operands;
	uint8_t shift;

	ret->changes = wv_changes(insn);
	if (insn->id == X86_INS_MOV && operands[0].type == X86_OP_REG && operands[1].type == X86_OP_REG &&
	    operands[0].size == sizeof(uint64_t)) {
		ret->to = register_number(operands[0].reg, &shift);
		ret->from = register_number(operands[1].reg, &shift);
		if (ret->from == WV_NO_REGISTER)
			ret->to = WV_NO_REGISTER; /* a segment's */
	}
	if ((ret->flow == WV_FLOW_CALL || ret->flow == WV_FLOW_JUMP) && x86->op_count == 1 &&
	    operands[0].type == X86_OP_REG)
		ret->through = register_number(operands[0].reg, &shift);
}

size_t wv_decode(struct wv_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t address,
		 struct wv_insn *ret)
{
	const cs_insn *insn = decoder->detailed;
	const cs_x86 *x86 = &insn->detail->x86;
	const struct unknown *found = find_unknown(bytes, n);

	*ret = (struct wv_insn){ .from = WV_NO_REGISTER, .to = WV_NO_REGISTER, .through = WV_NO_REGISTER };
	if (found) {
		ret->length = found->length;
		ret->flow = found == &unknown[UD1] ? WV_FLOW_TRAP : WV_FLOW_NEXT;
		ret->uses = ret->changes = WR_BIT(WR_FLAGS + 1) - 1;
		return ret->length;
	}
	if (!cs_disasm_iter(decoder->detail, &bytes, &n, &address, decoder->detailed))
		return 0;
	ret->length = insn->size;
	ret->flow = flow_of(decoder);
	ret->padding = insn->id == X86_INS_INT3 || insn->id == X86_INS_NOP;
	if (ret->flow != WV_FLOW_NEXT && x86->op_count == 1) {
		const cs_x86_op *operand = &x86->operands[0];

		ret->direct = operand->type == X86_OP_IMM && ret->flow != WV_FLOW_RETURN &&
			      ret->flow != WV_FLOW_TRAP;
		if (ret->direct)
			ret->target = operand->imm;
		ret->table = ret->flow == WV_FLOW_JUMP && operand->type == X86_OP_MEM &&
			     operand->mem.index != X86_REG_INVALID;
	}
	if (insn->id != X86_INS_NOP)
		fill_memory(insn, ret);
	fill_relative(insn, ret);
	fill_constant(insn, ret);
	fill_registers(insn, ret);
	wv_effects(insn, ret);
	return ret->length;
}

/* What is written to the memory operand, where it is the first one. */
static void fill_store(const cs_insn *insn, struct wv_access *ret)
{
	const cs_x86 *x86 = &insn->detail->x86;
	const cs_x86_op *source = &x86->operands[1];

	ret->source = WV_NO_REGISTER;
	if (!ret->writes)
		return;
	if (x86->op_count == 1) {
		ret->immediate = 1;
		ret->store = insn->id == X86_INS_INC ? WV_STORE_ADD :
			     insn->id == X86_INS_DEC ? WV_STORE_SUB :
			     insn->id == X86_INS_NOT ? WV_STORE_NOT :
			     insn->id == X86_INS_NEG ? WV_STORE_NEGATE :
						       WV_STORE_OTHER;
		return;
	}
	if (x86->op_count != 2 || x86->operands[0].type != X86_OP_MEM)
		return;
	if (source->type == X86_OP_REG) {
		ret->source = register_number(source->reg, &ret->shift);
		if (ret->source == WV_NO_REGISTER)
			return; /* a vector register */
	} else if (source->type == X86_OP_IMM) {
		ret->immediate = source->imm;
	} else {
		return;
	}
	switch (insn->id) {
	case X86_INS_MOV: case X86_INS_MOVABS: case X86_INS_XCHG:
		ret->store = WV_STORE_MOVE;
		break;
	case X86_INS_OR:
		ret->store = WV_STORE_OR;
		break;
	case X86_INS_AND:
		ret->store = WV_STORE_AND;
		break;
	case X86_INS_XOR:
		ret->store = WV_STORE_XOR;
		break;
	case X86_INS_ADD: case X86_INS_XADD:
		ret->store = WV_STORE_ADD;
		break;
	case X86_INS_SUB:
		ret->store = WV_STORE_SUB;
		break;
	}
}

/* What becomes of registers. */
static void fill_loaded(const cs_insn *insn, struct wv_access *ret)
{
	const cs_x86 *x86 = &insn->detail->x86;

	ret->changes = wv_changes(insn);
	ret->loaded = WV_NO_REGISTER;
	switch (insn->id) {
	case X86_INS_MOV: case X86_INS_MOVABS: case X86_INS_MOVZX: case X86_INS_MOVSX:
	case X86_INS_MOVSXD:
		if (x86->operands[0].type == X86_OP_REG)
			ret->loaded = register_number(x86->operands[0].reg, &ret->loaded_shift);
	}
}

bool wv_decode_access(struct wv_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t address,
		      struct wv_access *ret)
{
	const cs_insn *insn = decoder->detailed;
	const cs_x86 *x86 = &insn->detail->x86;
	uint8_t shift;

	*ret = (struct wv_access){ 0 };
	if (!cs_disasm_iter(decoder->detail, &bytes, &n, &address, decoder->detailed) ||
	    insn->id == X86_INS_NOP)
		return false;
	for (size_t i = 0; i < x86->op_count; i++) {
		const cs_x86_op *operand = &x86->operands[i];

		if (operand->type != X86_OP_MEM)
			continue;
		if (operand->mem.segment != X86_REG_INVALID)
			return false;
		ret->relative = operand->mem.base == X86_REG_RIP;
		/* Capstone has gone on to the next instruction, which the displacement counts from. */
		ret->address = address + operand->mem.disp;
		ret->base = ret->relative ? WV_NO_REGISTER : register_number(operand->mem.base, &shift);
		ret->index = register_number(operand->mem.index, &shift);
		ret->scale = operand->mem.scale;
		ret->displacement = operand->mem.disp;
		ret->size = operand->size;
		ret->reads = insn->id != X86_INS_LEA && (operand->access & CS_AC_READ);
		ret->writes = insn->id != X86_INS_LEA && (operand->access & CS_AC_WRITE);
		fill_store(insn, ret);
		fill_loaded(insn, ret);
		return true;
	}
	return false;
}

/* "mnemonic operands", as much as there is room for. */
static void write_text(const cs_insn *insn, char *buffer, size_t size)
{
	size_t n = strlen(insn->mnemonic), more = strlen(insn->op_str);

	if (!size)
		return;
	n = n < size ? n : size - 1;
	memcpy(buffer, insn->mnemonic, n);
	if (more && n + 1 < size)
		buffer[n++] = ' ';
	more = more < size - n ? more : size - n - 1;
	memcpy(buffer + n, insn->op_str, more);
	buffer[n + more] = '\0';
}

size_t wv_decode_text(struct wv_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t address,
		      wv_decode_name name, void *context, char *buffer, size_t size)
{
	const cs_insn *insn = decoder->insn;
	const struct unknown *found = find_unknown(bytes, n);
	const char *symbol = NULL;
	struct wv_insn decoded;
	uint64_t offset = 0;

	buffer[0] = '\0';
	if (found) {
		snprintf(buffer, size, "%s", found->name);
		return found->length;
	}
	if (!wv_decode_length(decoder, bytes, n, address))
		return 0;
	/* In this syntax only a branch's target, or an address alone, begins with a digit: the rest need not be decoded with all details. */
	if (name && isdigit((unsigned char)insn->op_str[0]) &&
	    wv_decode(decoder, bytes, n, address, &decoded) && decoded.direct)
		symbol = name(context, decoded.target, &offset);
	if (symbol && offset)
		snprintf(buffer, size, "%s %s", insn->mnemonic,
			 wv_symbol_text(symbol, offset).text);
	else if (symbol)
		snprintf(buffer, size, "%s %s", insn->mnemonic, symbol);
	else
		write_text(insn, buffer, size);
	return insn->size;
}
