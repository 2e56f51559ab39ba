// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Capstone behind three functions; see decode.h. Its own record of what an operand is used for is right in Intel's order of
 * operands only, so that the handle which fills struct wv_insn is not the one that writes text.
 */
#include <capstone/capstone.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../runtime/frame.h"
#include "base/decode.h"
#include "base/effects.h"

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

size_t wv_decode(struct wv_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t address,
		 struct wv_insn *ret)
{
	const cs_insn *insn = decoder->detailed;
	const cs_x86 *x86 = &insn->detail->x86;
	const struct unknown *found = find_unknown(bytes, n);

	*ret = (struct wv_insn){ 0 };
	if (found) {
		ret->length = found->length;
		ret->flow = found == &unknown[UD1] ? WV_FLOW_TRAP : WV_FLOW_NEXT;
		ret->uses = WR_BIT(WR_FLAGS + 1) - 1;
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
	wv_effects(insn, ret);
	return ret->length;
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
	if (name && wv_decode(decoder, bytes, n, address, &decoded) && decoded.direct)
		symbol = name(context, decoded.target, &offset);
	if (symbol && offset)
		snprintf(buffer, size, "%s %s+0x%" PRIx64, insn->mnemonic, symbol, offset);
	else if (symbol)
		snprintf(buffer, size, "%s %s", insn->mnemonic, symbol);
	else
		snprintf(buffer, size, "%s%s%s", insn->mnemonic, insn->op_str[0] ? " " : "",
			 insn->op_str);
	return insn->size;
}
