/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds instructions that change rbx or r12 to r15, which an aspect's code must never do. If advice
 * faults, weft.ko leaves it without restoring these registers (kmod/splice/leave.h).
 */
#ifndef WV_PRESERVED_CHANGE_H
#define WV_PRESERVED_CHANGE_H

#include "x86/decode.h"

/*
 * Returns the name, without its percent sign, of the register among rbx and r12 to r15 that the
 * instruction at @bytes changes. Returns NULL if it changes none of them. If wv_decode() does not
 * know what the instruction changes, it counts as changing each register that its text names. @insn
 * is the instruction as wv_decode() has decoded it.
 */
const char *wv_preserved_change(struct wv_decoder *decoder, const uint8_t *bytes, size_t n,
				uint64_t address, const struct wv_insn *insn);

#endif /* WV_PRESERVED_CHANGE_H */
