/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes one instruction for the trampoline's emitter (runtime/trampoline.h), or finds why it
 * cannot run at another address. kmod/text/insn.c does the same in weft.ko, by the same rules
 * (runtime/x86-rules.h) and with the kernel's decoder.
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
