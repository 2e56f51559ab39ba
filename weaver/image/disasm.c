// SPDX-License-Identifier: GPL-2.0-or-later
/* Instructions as text; see disasm.h. */
#include <capstone/capstone.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "image/disasm.h"

struct wv_disasm {
	csh handle;
	cs_insn *insn;
};

void wv_disasm_destroy(struct wv_disasm *disasm)
{
	if (!disasm)
		return;
	if (disasm->insn)
		cs_free(disasm->insn, 1);
	if (disasm->handle)
		cs_close(&disasm->handle);
	free(disasm);
}

int wv_disasm_create(struct wv_disasm **ret, struct wv_error *error)
{
	struct wv_disasm *disasm = calloc(1, sizeof(*disasm));

	*ret = NULL;
	if (!disasm)
		return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
	if (cs_open(CS_ARCH_X86, CS_MODE_64, &disasm->handle) != CS_ERR_OK ||
	    cs_option(disasm->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT) != CS_ERR_OK ||
	    cs_option(disasm->handle, CS_OPT_DETAIL, CS_OPT_ON) != CS_ERR_OK) {
		wv_disasm_destroy(disasm);
		return wv_fail(error, WV_E_FAILURE, "Capstone cannot disassemble x86");
	}
	disasm->insn = cs_malloc(disasm->handle);
	if (!disasm->insn) {
		wv_disasm_destroy(disasm);
		return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
	}
	*ret = disasm;
	return 0;
}

/* The target of a direct branch or call, or 0. */
static uint64_t direct_target(const struct wv_disasm *disasm)
{
	const cs_x86 *x86 = &disasm->insn->detail->x86;

	if (!cs_insn_group(disasm->handle, disasm->insn, CS_GRP_JUMP) &&
	    !cs_insn_group(disasm->handle, disasm->insn, CS_GRP_CALL))
		return 0;
	return x86->op_count == 1 && x86->operands[0].type == X86_OP_IMM ? x86->operands[0].imm : 0;
}

size_t wv_disasm_text(struct wv_disasm *disasm, const uint8_t *bytes, size_t n, uint64_t address,
		      wv_disasm_name name, void *context, char *buffer, size_t size)
{
	const char *symbol = NULL;
	uint64_t target, offset;
	const cs_insn *insn = disasm->insn;

	buffer[0] = '\0';
	if (!cs_disasm_iter(disasm->handle, &bytes, &n, &address, disasm->insn))
		return 0;
	target = direct_target(disasm);
	if (target)
		symbol = name(context, target, &offset);
	if (symbol && offset)
		snprintf(buffer, size, "%s %s+0x%" PRIx64, insn->mnemonic, symbol, offset);
	else if (symbol)
		snprintf(buffer, size, "%s %s", insn->mnemonic, symbol);
	else
		snprintf(buffer, size, "%s%s%s", insn->mnemonic, insn->op_str[0] ? " " : "",
			 insn->op_str);
	return insn->size;
}

size_t wv_disasm_length(struct wv_disasm *disasm, const uint8_t *bytes, size_t n, uint64_t address)
{
	return cs_disasm_iter(disasm->handle, &bytes, &n, &address, disasm->insn) ?
		       disasm->insn->size : 0;
}
