/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes one instruction for the code that emits trampolines (runtime/trampoline.h), or finds why
 * the instruction cannot run at another address. In weft.ko, kmod/text/insn.c does the same. It
 * uses the same rules (runtime/x86-rules.h), but the kernel's decoder.
 */
#ifndef WV_RELOCATE_H
#define WV_RELOCATE_H

#include "runtime/abi.h"
#include "runtime/trampoline.h"
#include "x86/decode.h"

/*
 * Decodes the instruction at @address. @bytes has @n readable bytes, which begin with the
 * instruction. Returns WEFT_REFUSAL_NONE, or why the instruction cannot be relocated. In the latter
 * case @ret has what is known of the instruction, which is at least its address.
 */
enum weft_refusal wv_relocate(struct wv_decoder *decoder, const uint8_t *bytes, size_t n,
			      uint64_t address, struct wr_insn *ret);

#endif /* WV_RELOCATE_H */
