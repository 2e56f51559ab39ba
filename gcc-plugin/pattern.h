/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys of instructions, by what they do. The attributes of their memory operands do not count. */
#ifndef WEFT_PATTERN_H
#define WEFT_PATTERN_H

#include <stdint.h>

/* Instructions with the same key have equal patterns: one can stand for the other. */
uint64_t wp_pattern_key(const rtx_insn *insn);

#endif /* WEFT_PATTERN_H */
