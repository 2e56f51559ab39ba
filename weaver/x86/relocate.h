/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One instruction as the emitter (runtime/trampoline.h) wants it, or why it cannot run at another
 * address. The weaver's side of what kmod/text/insn.c is in the kernel: the same rules
 * (runtime/x86-rules.h), by another decoder.
 */
#ifndef WV_RELOCATE_H
#define WV_RELOCATE_H

#include "runtime/abi.h"
#include "runtime/trampoline.h"
#include "x86/decode.h"

/*
 * Of the instruction at @address that begins at @bytes, @n of them. @ret is filled as far as it is
 * known.
 */
enum weft_refusal wv_relocate(struct wv_decoder *decoder, const uint8_t *bytes, size_t n,
			      uint64_t address, struct wr_insn *ret);

#endif /* WV_RELOCATE_H */
