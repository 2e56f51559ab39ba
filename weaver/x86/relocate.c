// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes one decoded instruction ready for the trampoline emitter; see relocate.h. */
#include "x86/relocate.h"

enum weft_refusal wv_relocate(struct wv_decoder *decoder, const uint8_t *bytes, size_t n,
			      uint64_t address, struct wr_insn *ret)
{
	struct wv_insn insn;

	if (wv_decode(decoder, bytes, n, address, &insn))
		return wr_rules_relocate(&insn.fields, bytes, address, ret);
	*ret = (struct wr_insn){ .address = address };
	return WEFT_REFUSAL_UNDECODABLE;
}
