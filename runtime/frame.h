/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The register frame that a trampoline builds on the stack and passes to advice. Freestanding: the
 * trampoline emitter, the aspects and the native tests share it.
 *
 * A trampoline stores only those registers that an advice of the shadow uses (the advice's needs).
 * The slots of all other registers are undefined and must not be read.
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

/* Further bits in sets of WR_BIT()s: what else may be live, or needed by advice. */
enum {
	WR_FLAGS = WR_NR_REGISTERS, /* live: the arithmetic flags; needed: all of rflags */
	WR_TARGET,		    /* needed only: the target of the call at the shadow */
	/* needed only: a stack frame that links to the callers, for stack traces */
	WR_CALLERS,
	WR_NR_NAMES,
};

/* Registers that a C function may clobber (System V ABI). */
#define WR_CALLER_SAVED                                                                           \
	(WR_BIT(WR_RAX) | WR_BIT(WR_RCX) | WR_BIT(WR_RDX) | WR_BIT(WR_RSI) | WR_BIT(WR_RDI) |     \
	 WR_BIT(WR_R8) | WR_BIT(WR_R9) | WR_BIT(WR_R10) | WR_BIT(WR_R11))

/* How to compute the target of a call or jump; decoded from the instruction. */
enum wr_target_kind {
	WR_TARGET_NONE, /* neither a call nor a jump, or its target cannot be computed */
	WR_TARGET_FIXED, /* the target's address is .value */
	WR_TARGET_REGISTER, /* the target's address is in register .base */
	WR_TARGET_MEMORY, /* the target's address is in memory, at base + index * scale + value */
};

struct wr_target {
	unsigned char kind; /* enum wr_target_kind */
	unsigned char base, index; /* enum wr_register or WR_NONE */
	unsigned char scale; /* 1, 2, 4 or 8 */
	long value;
};

struct weft_frame {
	unsigned long reg[WR_NR_REGISTERS]; /* by number, as they were at the shadow */
	unsigned long flags;
};

/*
 * A flag in the upper half of the nesting guard (trampoline.h) while advice runs. Set: interrupts
 * were on in the advice; if weft.ko ends it, they are switched on again (kmod/splice/leave.c).
 * Clear: that is not known. The bits between this flag and the lower half are for kmod/budget.c.
 */
#define WR_GUARD_INTERRUPTS (1ull << 63)

#endif /* WEFT_FRAME_H */
