// SPDX-License-Identifier: GPL-2.0-or-later
/* Capstone behind two functions; see decode.h. */
#include <stdio.h>
#include <stdlib.h>

#include <capstone/capstone.h>

#include "splice/decode.h"

struct wv_decoder {
	csh handle;
	cs_insn *insn; /* reused: one allocation for any number of instructions */
};

int wv_decoder_create(struct wv_decoder **ret, struct wv_error *error)
{
	struct wv_decoder *decoder = calloc(1, sizeof(*decoder));

	if (!decoder)
		return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
	if (cs_open(CS_ARCH_X86, CS_MODE_64, &decoder->handle) != CS_ERR_OK) {
		free(decoder);
		return wv_fail(error, WV_E_FAILURE, "Capstone has no x86-64");
	}
	cs_option(decoder->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	decoder->insn = cs_malloc(decoder->handle);
	if (!decoder->insn) {
		wv_decoder_destroy(decoder);
		return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
	}
	*ret = decoder;
	return 0;
}

void wv_decoder_destroy(struct wv_decoder *decoder)
{
	if (!decoder)
		return;
	if (decoder->insn)
		cs_free(decoder->insn, 1);
	cs_close(&decoder->handle);
	free(decoder);
}

size_t wv_decode_length(struct wv_decoder *decoder, const uint8_t *bytes, size_t n,
			uint64_t address)
{
	if (!cs_disasm_iter(decoder->handle, &bytes, &n, &address, decoder->insn))
		return 0;
	return decoder->insn->size;
}

size_t wv_decode_text(struct wv_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t address,
		      char *text, size_t size)
{
	size_t length = wv_decode_length(decoder, bytes, n, address);

	if (length)
		snprintf(text, size, "%s%s%s", decoder->insn->mnemonic,
			 decoder->insn->op_str[0] ? " " : "", decoder->insn->op_str);
	else
		snprintf(text, size, "(bad)");
	return length;
}
