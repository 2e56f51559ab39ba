/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes one instruction for the emitter (runtime/trampoline.h), or finds why it cannot run at
 * another address. The weaver's counterpart of kmod/text/insn.c: the same rules
 * (runtime/x86-rules.h) with another decoder.
 */
#ifndef WV_RELOCATE_H
#define WV_RELOCATE_H

#include "runtime/abi.h"
#include "runtime/trampoline.h"
#include "x86/decode.h"

/*
 * Decodes the instruction at @address. @bytes: @n readable bytes, which begin with it. Returns
 * WEFT_REFUSAL_NONE, or why the instruction cannot be relocated; @ret then has what is known of it,
 * at least its address.
 */
enum weft_refusal wv_relocate(struct wv_decoder *decoder, const uint8_t *bytes, size_t n,
			      uint64_t address, struct wr_insn *ret);

#endif /* WV_RELOCATE_H */
