/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Effects of instructions on the status flags, according to the manuals of Intel and AMD: which
 * flags get a value that both define, and which are left undefined. An undefined flag may keep its
 * value on one processor and change on another, so code must not depend on it.
 */
#ifndef WV_STATUS_FLAGS_H
#define WV_STATUS_FLAGS_H

#include <stdint.h>

/* Bits in EFLAGS. */
enum {
	WV_CF = 0x001,
	WV_PF = 0x004,
	WV_AF = 0x010,
	WV_ZF = 0x040,
	WV_SF = 0x080,
	WV_OF = 0x800,
	WV_STATUS_FLAGS = WV_CF | WV_PF | WV_AF | WV_ZF | WV_SF | WV_OF,
};

/* The effects of one instruction. A flag in neither set keeps its value. */
struct wv_flag_effects {
	uint16_t defined;   /* get a defined value */
	uint16_t undefined; /* keep their value or get any other */
	/*
	 * If the effect depends on a count in a register: ->defined has only the flags that are
	 * defined for every count, ->undefined all that are undefined for some count.
	 */
	enum wv_flag_count {
		WV_COUNT_NONE,		 /* no count, or a constant one */
		WV_COUNT_ROTATE,	 /* rol, ror: %cl */
		WV_COUNT_ROTATE_CARRY,	 /* rcl, rcr: %cl */
		WV_COUNT_SHIFT,		 /* shl, shr: %cl */
		WV_COUNT_SHIFT_SIGNED,	 /* sar: %cl */
		WV_COUNT_SHIFT_DOUBLE,	 /* shld, shrd: %cl */
		WV_COUNT_REPEAT,	 /* rep cmps, rep scas: %rcx */
	} count;
	/*
	 * width in bits of the operand that is shifted; REPEAT: of the counter, %ecx or %rcx;
	 * unused if there is no count
	 */
	uint8_t bits;
};

struct cs_insn;

/*
 * Fills @ret with the effects of @insn, which must have Capstone's details, with the operands in
 * Intel's order.
 */
void wv_flag_effects(const struct cs_insn *insn, struct wv_flag_effects *ret);

/* Narrows @effects, given that %rcx contains @rcx before the instruction. */
void wv_flag_effects_counted(struct wv_flag_effects *effects, uint64_t rcx);

#endif /* WV_STATUS_FLAGS_H */
