/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which instructions change the registers that aspects never change: rbx, r12 to r15. After a fault
 * advice is left without restoring them (kmod/splice/leave.h).
 */
#ifndef WV_PRESERVED_CHANGE_H
#define WV_PRESERVED_CHANGE_H

#include "x86/decode.h"

/*
 * The one of them that the instruction at @bytes changes, without its percent sign; NULL: none.
 * @insn: the instruction, from wv_decode().
 */
const char *wv_preserved_change(struct wv_decoder *decoder, const uint8_t *bytes, size_t n,
				uint64_t address, const struct wv_insn *insn);

#endif /* WV_PRESERVED_CHANGE_H */
