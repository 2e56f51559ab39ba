/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an instruction does with the status flags, by the manuals of Intel and AMD: which ones get a
 * value that both define, and which ones it leaves undefined. An undefined flag keeps its value on
 * one processor and gets another one on the next, so nobody may depend on either.
 */
#ifndef WV_STATUS_FLAGS_H
#define WV_STATUS_FLAGS_H

#include <stdint.h>

/* Their bits in EFLAGS. */
enum {
	WV_CF = 0x001,
	WV_PF = 0x004,
	WV_AF = 0x010,
	WV_ZF = 0x040,
	WV_SF = 0x080,
	WV_OF = 0x800,
	WV_STATUS_FLAGS = WV_CF | WV_PF | WV_AF | WV_ZF | WV_SF | WV_OF,
};

/* A flag in neither set keeps its value. */
struct wv_flag_effects {
	uint16_t defined;   /* get a value that does not depend on what they were undefined as */
	uint16_t undefined; /* keep their values or get any other */
	/*
	 * Where a count in a register decides, ->defined has only the flags that are defined for
	 * each count, and ->undefined all that are undefined for one.
	 */
	enum wv_flag_count {
		WV_COUNT_NONE,		 /* no count, or it is a part of the instruction */
		WV_COUNT_ROTATE,	 /* rol, ror: %cl */
		WV_COUNT_ROTATE_CARRY,	 /* rcl, rcr: %cl */
		WV_COUNT_SHIFT,		 /* shl, shr: %cl */
		WV_COUNT_SHIFT_SIGNED,	 /* sar: %cl */
		WV_COUNT_SHIFT_DOUBLE,	 /* shld, shrd: %cl */
		WV_COUNT_REPEAT,	 /* rep cmps, rep scas: %rcx */
	} count;
	uint8_t bits; /* with a count: of the operand; REPEAT: of the counter, %ecx or %rcx */
};

struct cs_insn;

/* @insn has its details, operands in Intel's order. */
void wv_flag_effects(const struct cs_insn *insn, struct wv_flag_effects *ret);

/* The same where it is known that @rcx is in %rcx before the instruction. */
void wv_flag_effects_counted(struct wv_flag_effects *effects, uint64_t rcx);

#endif /* WV_STATUS_FLAGS_H */
