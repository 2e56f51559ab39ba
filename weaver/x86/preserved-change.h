/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds instructions that change a register which aspects must never change: rbx, r12 to r15. After
 * a fault, advice is left without restoring these registers (kmod/splice/leave.h).
 */
#ifndef WV_PRESERVED_CHANGE_H
#define WV_PRESERVED_CHANGE_H

#include "x86/decode.h"

/*
 * Returns the register of rbx, r12 to r15 that the instruction at @bytes changes, without its
 * percent sign; NULL if it changes none. @insn: the instruction, from wv_decode().
 */
const char *wv_preserved_change(struct wv_decoder *decoder, const uint8_t *bytes, size_t n,
				uint64_t address, const struct wv_insn *insn);

#endif /* WV_PRESERVED_CHANGE_H */
