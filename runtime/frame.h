/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The register frame that a trampoline builds on the stack and hands to advice. Freestanding: the
 * trampoline emitter, the aspects and the native tests share it.
 *
 * A slot holds its register only where an advice of the shadow names it (its needs). The others are
 * not to be read.
 */
#ifndef WEFT_FRAME_H
#define WEFT_FRAME_H

/* Registers by their number in x86 encodings: 0 = rax ... 15 = r15. */
enum wr_register {
	WR_RAX,
	WR_RCX,
	WR_RDX,
	WR_RBX,
	WR_RSP,
	WR_RBP,
	WR_RSI,
	WR_RDI,
	WR_R8,
	WR_R9,
	WR_R10,
	WR_R11,
	WR_R12,
	WR_R13,
	WR_R14,
	WR_R15,
	WR_NR_REGISTERS,
	WR_NONE = 0xff,
};

#define WR_BIT(reg) (1u << (reg))

/* What else may be live or named, in the same sets. */
enum {
	WR_FLAGS = WR_NR_REGISTERS, /* the arithmetic flags; named: all of rflags */
	WR_TARGET,		    /* named only: where a call at the shadow goes */
	/* named only: the way to the callers, for those who take stack traces */
	WR_CALLERS,
	WR_NR_NAMES,
};

/* What a C function may clobber (System V ABI). */
#define WR_CALLER_SAVED                                                                           \
	(WR_BIT(WR_RAX) | WR_BIT(WR_RCX) | WR_BIT(WR_RDX) | WR_BIT(WR_RSI) | WR_BIT(WR_RDI) |     \
	 WR_BIT(WR_R8) | WR_BIT(WR_R9) | WR_BIT(WR_R10) | WR_BIT(WR_R11))

struct weft_frame {
	unsigned long reg[WR_NR_REGISTERS]; /* by number, as they were at the shadow */
	unsigned long flags;
};

#endif /* WEFT_FRAME_H */
