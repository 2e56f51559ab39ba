// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kmod/insn.c in a process, with the kernel's own decoder: compiled against the copies of its headers that the kernel keeps for its
 * tools. Of what weft.ko has around it, this much is needed.
 */
#include <linux/types.h>
#include <linux/kernel.h>
#include <asm/insn.h>

#include "runtime/frame.h"

/* In place of runtime/advice.h, which is for kernels. */
#define WEFT_ADVICE_H
enum wr_target_kind { WR_TARGET_NONE, WR_TARGET_FIXED, WR_TARGET_REGISTER, WR_TARGET_MEMORY };
struct wr_target {
	u8 kind, base, index, scale;
	long value;
};

/* In place of kmod/symbols.h: what is looked up in a kernel is linked in here. */
#define WK_SYMBOLS_H
static const struct {
	int (*insn_decode)(struct insn *insn, const void *bytes, int size, enum insn_mode mode);
	unsigned long thunk_array;
} wk_symbols = { .insn_decode = insn_decode };

#include "kmod/insn.c"
