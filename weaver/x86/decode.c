// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Wraps Capstone; see decode.h. Capstone reports correctly which operands an instruction reads and
 * writes, but only if it writes operands in Intel's order. So weft uses two handles: one in Intel's
 * order fills struct wv_insn, and the other one writes text in AT&T syntax.
 */
#include <capstone/capstone.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/frame.h"
#include "x86/decode.h"
#include "x86/effects.h"
#include "base/notation.h"
#include "x86/status-flags.h"

struct wv_decoder {
	csh text, detail;
	cs_insn *insn, *detailed; /* buffers of .text and .detail, which all instructions share */
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
 * Facts about an instruction that Capstone 4.0.2 does not decode, or decodes as another
 * instruction.
 */
struct unknown {
	const char *name;
	uint16_t flags; /* status flags that the instruction writes for certain */
};

/*
 * Instructions that Capstone does not decode, or decodes as another one (seamcall), by their whole
 * encoding. None has a ModRM operand but tpause, of which only the form with %ecx is here. This
 * table is searched before Capstone is asked.
 */
static const struct unknown_bytes {
	uint8_t length;
	uint8_t bytes[5];
	struct unknown unknown;
} unknown_bytes[] = {
	{ 4, { 0x66, 0x0f, 0x01, 0xcc }, { "tdcall", 0 } },
	{ 4, { 0x66, 0x0f, 0x01, 0xcf }, { "seamcall", 0 } },
	{ 3, { 0x0f, 0x01, 0xe8 }, { "serialize", 0 } },
	{ 3, { 0x0f, 0x01, 0xee }, { "rdpkru", 0 } },
	{ 3, { 0x0f, 0x01, 0xef }, { "wrpkru", 0 } },
	{ 3, { 0x0f, 0x01, 0xfa }, { "monitorx", 0 } },
	{ 3, { 0x0f, 0x01, 0xfb }, { "mwaitx", 0 } },
	{ 3, { 0x0f, 0x01, 0xfe }, { "invlpgb", 0 } },
	{ 4, { 0xf2, 0x0f, 0x01, 0xfe }, { "rmpupdate", 0 } },
	{ 4, { 0xf3, 0x0f, 0x01, 0xfe }, { "rmpadjust", 0 } },
	{ 3, { 0x0f, 0x01, 0xff }, { "tlbsync", 0 } },
	{ 4, { 0xf2, 0x0f, 0x01, 0xff }, { "pvalidate", 0 } },
	{ 4, { 0xf3, 0x0f, 0x01, 0xff }, { "psmash", 0 } },
	{ 4, { 0x66, 0x0f, 0xae, 0xf1 }, { "tpause", WV_STATUS_FLAGS } },
	{ 5, { 0xc4, 0xe2, 0x78, 0x49, 0xc0 }, { "tilerelease", 0 } },
};

enum { EITHER = 2, ANY = 8 };

/*
 * Instructions with operands of which Capstone does not decode all forms. It does decode a few
 * forms correctly, so this table is searched only if Capstone fails. All of these instructions have
 * prefix 66.
 */
static const struct unknown_opcode {
	uint8_t encoding, map, opcode;
	uint8_t wide;  /* REX.W, or W of VEX or EVEX; or EITHER */
	uint8_t digit; /* reg of the ModRM byte; ANY: reg is an operand */
	struct unknown unknown;
} unknown_opcodes[] = {
	{ WR_LEGACY, WR_MAP_0F38, 0xf5, 0, ANY, { "wrussd", 0 } },
	{ WR_LEGACY, WR_MAP_0F38, 0xf5, 1, ANY, { "wrussq", 0 } },
	{ WR_VEX, WR_MAP_0F38, 0x5a, 0, ANY, { "vbroadcasti128", 0 } },
	{ WR_VEX, WR_MAP_0F3A, 0x44, EITHER, ANY, { "vpclmulqdq", 0 } },
	{ WR_EVEX, WR_MAP_0F, 0x72, 0, 0, { "vprord", 0 } },
	{ WR_EVEX, WR_MAP_0F, 0x72, 1, 0, { "vprorq", 0 } },
	{ WR_EVEX, WR_MAP_0F, 0x72, 0, 1, { "vprold", 0 } },
	{ WR_EVEX, WR_MAP_0F, 0x72, 1, 1, { "vprolq", 0 } },
	{ WR_EVEX, WR_MAP_0F38, 0x00, EITHER, ANY, { "vpshufb", 0 } },
	{ WR_EVEX, WR_MAP_0F38, 0x76, 0, ANY, { "vpermi2d", 0 } },
	{ WR_EVEX, WR_MAP_0F38, 0x76, 1, ANY, { "vpermi2q", 0 } },
	{ WR_EVEX, WR_MAP_0F3A, 0x25, 0, ANY, { "vpternlogd", 0 } },
	{ WR_EVEX, WR_MAP_0F3A, 0x25, 1, ANY, { "vpternlogq", 0 } },
	{ WR_EVEX, WR_MAP_0F3A, 0x44, EITHER, ANY, { "vpclmulqdq", 0 } },
};

enum { OP2_UD1 = 0xb9 };
static const struct unknown ud1 = { .name = "ud1" };

/*
 * Finds the instruction in unknown_bytes, or recognises it as a ud1. Returns NULL if it is neither.
 * Capstone does not see the operands of a ud1. But the kernel marks trampolines of static calls
 * with a ud1, and sanitizers put a message into one.
 */
static const struct unknown *find_unknown_bytes(const struct wr_fields *fields,
						const uint8_t *bytes)
{
	if (fields->encoding == WR_LEGACY && fields->map == WR_MAP_0F && fields->opcode == OP2_UD1)
		return &ud1;
	for (size_t i = 0; i < sizeof(unknown_bytes) / sizeof(unknown_bytes[0]); i++)
		if (fields->length == unknown_bytes[i].length &&
		    !memcmp(bytes, unknown_bytes[i].bytes, unknown_bytes[i].length))
			return &unknown_bytes[i].unknown;
	return NULL;
}

/*
 * Returns whether the instruction has prefix 66, as a byte (and then neither f2 nor f3) or in the
 * field pp of VEX or EVEX. Sets *@wide_ret to the W bit of REX, VEX or EVEX. A VEX prefix of two
 * bytes has no W bit, so *@wide_ret means nothing then. That does no harm: such a prefix encodes
 * map 0f only, and unknown_opcodes has no VEX opcode of this map.
 */
static bool read_data_prefix(const struct wr_fields *fields, const uint8_t *bytes, bool *wide_ret)
{
	enum { PP = 3, PP_DATA = 1, W = 0x80 };
	/*
	 * The byte with pp and W comes before the opcode, and the opcode comes before the ModRM
	 * byte. EVEX has another byte between pp and the opcode.
	 */
	const unsigned int back = fields->encoding == WR_EVEX ? 3 : 2;
	const unsigned int other = WR_PREFIX_REP | WR_PREFIX_REPNE;

	if (fields->encoding == WR_LEGACY) {
		*wide_ret = fields->rex & WR_REX_W;
		return (fields->prefixes & (WR_PREFIX_DATA | other)) == WR_PREFIX_DATA;
	}
	*wide_ret = bytes[fields->modrm_at - back] & W;
	return (bytes[fields->modrm_at - back] & PP) == PP_DATA;
}

static const struct unknown *find_unknown_opcode(const struct wr_fields *fields,
						 const uint8_t *bytes)
{
	bool wide;

	if (!fields->modrm_at || !read_data_prefix(fields, bytes, &wide))
		return NULL;
	for (size_t i = 0; i < sizeof(unknown_opcodes) / sizeof(unknown_opcodes[0]); i++) {
		const struct unknown_opcode *opcode = &unknown_opcodes[i];

		if (fields->encoding == opcode->encoding && fields->map == opcode->map &&
		    fields->opcode == opcode->opcode &&
		    (opcode->wide == EITHER || opcode->wide == wide) &&
		    (opcode->digit == ANY || opcode->digit == wr_modrm_reg(fields->modrm)))
			return &opcode->unknown;
	}
	return NULL;
}

/*
 * Decodes one instruction twice: by Capstone into @insn, and by weft's own rules
 * (runtime/x86-rules.h) into @fields. Returns false if one of them does not know the instruction,
 * or if they disagree about its length. Some instructions that Capstone does not know are in
 * unknown_bytes or unknown_opcodes. For these, sets *@unknown_ret to the entry and leaves @insn
 * unset. For all others *@unknown_ret is NULL.
 */
static bool decode(csh handle, cs_insn *insn, const uint8_t *bytes, size_t n, uint64_t address,
		   struct wr_fields *fields, const struct unknown **unknown_ret)
{
	const uint8_t *at = bytes;
	unsigned int skipped = 0;

	*unknown_ret = NULL;
	if (!wr_fields_read(fields, bytes, n < WEFT_INSN_MAX ? n : WEFT_INSN_MAX))
		return false;
	*unknown_ret = find_unknown_bytes(fields, bytes);
	if (*unknown_ret)
		return true;
	if (fields->prefixes & WR_PREFIX_EMULATE)
		skipped = WR_EMULATE_SIZE;
	at += skipped;
	n -= skipped;
	address += skipped;
	if (cs_disasm_iter(handle, &at, &n, &address, insn) &&
	    skipped + insn->size == fields->length)
		return true;
	*unknown_ret = find_unknown_opcode(fields, bytes);
	return *unknown_ret;
}

size_t wv_decode_length(struct wv_decoder *decoder, const uint8_t *bytes, size_t n,
			uint64_t address)
{
	struct wr_fields fields;
	const struct unknown *found;

	if (!decode(decoder->text, decoder->insn, bytes, n, address, &fields, &found))
		return 0;
	return fields.length;
}

/*
 * Fills in the memory operand that has a base register. Only string instructions have two such
 * operands, and their operands have no displacement.
 */
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

/*
 * Fills in which registers the instruction changes. If it copies one whole register to another,
 * fills in both. If it is an indirect jump or call through a register, fills in this register.
 */
static void fill_registers(const cs_insn *insn, struct wv_insn *ret)
{
	const cs_x86 *x86 = &insn->detail->x86;
	const cs_x86_op *operands = x86->operands;
	uint8_t shift;

	ret->changes = wv_changes(insn);
	if (insn->id == X86_INS_MOV && operands[0].type == X86_OP_REG &&
	    operands[1].type == X86_OP_REG && operands[0].size == sizeof(uint64_t)) {
		ret->to = register_number(operands[0].reg, &shift);
		ret->from = register_number(operands[1].reg, &shift);
		if (ret->from == WV_NO_REGISTER)
			ret->to = WV_NO_REGISTER; /* copied from a segment register */
	}
	if ((ret->control == WR_CONTROL_CALL || ret->control == WR_CONTROL_JUMP) &&
	    x86->op_count == 1 && operands[0].type == X86_OP_REG)
		ret->through = register_number(operands[0].reg, &shift);
}

/* Fills in what follows from ret->fields alone, without Capstone. */
static void fill_rules(struct wv_insn *ret, uint64_t address)
{
	const struct wr_fields *fields = &ret->fields;
	const struct wr_rule *rule = wr_rule_of(fields);

	ret->length = fields->length;
	ret->control = rule->control;
	ret->direct = rule->direct;
	if (rule->direct)
		ret->target = wr_branch_target(fields, address);
	ret->table = fields->behavior == WR_JUMP_INDIRECT && fields->sib_at &&
		     (wr_modrm_reg(fields->sib) != WR_INDEX_NONE || fields->rex & WR_REX_X);
	ret->filling = wr_filling_of(fields);
	ret->relative = wr_is_rip_relative(fields);
	if (ret->relative)
		ret->operand = wr_rip_operand(fields, address);
}

size_t wv_decode_rules(const uint8_t *bytes, size_t n, uint64_t address, struct wv_insn *ret)
{
	const struct wr_fields *fields = &ret->fields;

	*ret = (struct wv_insn){
		.from = WV_NO_REGISTER, .to = WV_NO_REGISTER, .through = WV_NO_REGISTER
	};
	if (!wr_fields_read(&ret->fields, bytes, n < WEFT_INSN_MAX ? n : WEFT_INSN_MAX))
		return 0;
	fill_rules(ret, address);
	ret->has_memory = fields->displacement_at && !ret->relative;
	ret->displacement = ret->has_memory ? fields->displacement : 0;
	ret->has_constant = !ret->direct && fields->immediate_at < fields->length;
	if (!ret->has_constant)
		return ret->length;
	ret->constant = fields->immediate;
	if (fields->length - fields->immediate_at == sizeof(ret->constant))
		memcpy(&ret->constant, bytes + fields->immediate_at, sizeof(ret->constant));
	return ret->length;
}

size_t wv_decode(struct wv_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t address,
		 struct wv_insn *ret)
{
	const cs_insn *insn = decoder->detailed;
	const struct unknown *found;

	*ret = (struct wv_insn){
		.from = WV_NO_REGISTER, .to = WV_NO_REGISTER, .through = WV_NO_REGISTER
	};
	if (!decode(decoder->detail, decoder->detailed, bytes, n, address, &ret->fields, &found))
		return 0;
	fill_rules(ret, address);
	if (found) {
		ret->uses = ret->changes = WR_BIT(WR_FLAGS + 1) - 1;
		return ret->length;
	}
	if (insn->id != X86_INS_NOP)
		fill_memory(insn, ret);
	fill_constant(insn, ret);
	fill_registers(insn, ret);
	wv_effects(insn, ret);
	return ret->length;
}

bool wv_decode_flags(struct wv_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t address,
		     struct wv_flag_effects *ret)
{
	const struct unknown *found;
	struct wr_fields fields;

	*ret = (struct wv_flag_effects){ 0 };
	if (!decode(decoder->detail, decoder->detailed, bytes, n, address, &fields, &found))
		return false;
	ret->defined = found ? found->flags : 0;
	if (found)
		return true;
	wv_flag_effects(decoder->detailed, ret);
	return true;
}

/*
 * Fills in what the instruction stores, if the memory operand is its first operand (in Intel's
 * order, the destination).
 */
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
			return; /* the source is a vector register */
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

/* Fills in the registers that the instruction changes, and the register that a mov loads. */
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
		/*
		 * cs_disasm_iter() has advanced @address to the next instruction. The processor
		 * counts a displacement from %rip from there, too.
		 */
		ret->address = address + operand->mem.disp;
		ret->base =
			ret->relative ? WV_NO_REGISTER : register_number(operand->mem.base, &shift);
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

/*
 * Fills in the terms of the sum that an lea computes. @next: the address of the next instruction,
 * from which a displacement from %rip counts.
 */
static bool fill_lea(const cs_x86_op *source, uint64_t next, struct wv_made_address *ret)
{
	uint8_t shift;

	if (source->type != X86_OP_MEM || source->mem.segment != X86_REG_INVALID)
		return false;
	ret->relative = source->mem.base == X86_REG_RIP;
	ret->address = next + source->mem.disp;
	ret->base = ret->relative ? WV_NO_REGISTER : register_number(source->mem.base, &shift);
	ret->index = register_number(source->mem.index, &shift);
	ret->scale = source->mem.scale;
	ret->displacement = source->mem.disp;
	return true;
}

bool wv_decode_made_address(struct wv_decoder *decoder, const uint8_t *bytes, size_t n,
			    uint64_t address, struct wv_made_address *ret)
{
	const cs_insn *insn = decoder->detailed;
	const cs_x86_op *operands = insn->detail->x86.operands;
	uint8_t shift;

	*ret = (struct wv_made_address){ .base = WV_NO_REGISTER, .index = WV_NO_REGISTER };
	if (!cs_disasm_iter(decoder->detail, &bytes, &n, &address, decoder->detailed) ||
	    insn->detail->x86.op_count != 2 || operands[0].type != X86_OP_REG ||
	    operands[0].size != sizeof(uint64_t))
		return false;
	ret->made = register_number(operands[0].reg, &shift);
	if (ret->made == WV_NO_REGISTER)
		return false;
	if (insn->id == X86_INS_LEA)
		return fill_lea(&operands[1], address, ret);
	if (operands[1].type != X86_OP_IMM)
		return false;
	switch (insn->id) {
	case X86_INS_ADD: case X86_INS_SUB:
		ret->base = ret->made;
		ret->displacement = insn->id == X86_INS_ADD ? operands[1].imm : -operands[1].imm;
		return true;
	case X86_INS_MOV: case X86_INS_MOVABS:
		ret->relative = true;
		ret->address = operands[1].imm;
		return true;
	default:
		return false;
	}
}

/* Writes "mnemonic operands" to @buffer, as much as there is room for. */
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
	const struct unknown *found;
	const char *symbol = NULL;
	struct wr_fields fields;
	uint64_t offset = 0;

	buffer[0] = '\0';
	if (!decode(decoder->text, decoder->insn, bytes, n, address, &fields, &found))
		return 0;
	if (found) {
		snprintf(buffer, size, "%s", found->name);
		return fields.length;
	}
	if (name && wr_rule_of(&fields)->direct)
		symbol = name(context, wr_branch_target(&fields, address), &offset);
	if (symbol && offset)
		snprintf(buffer, size, "%s %s", insn->mnemonic,
			 wv_symbol_text(symbol, offset).text);
	else if (symbol)
		snprintf(buffer, size, "%s %s", insn->mnemonic, symbol);
	else
		write_text(insn, buffer, size);
	return fields.length;
}
