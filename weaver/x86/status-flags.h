/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the effects of instructions on the status flags, according to the manuals of Intel and AMD.
 * A flag that changes is defined if both manuals define its value; otherwise it is left undefined.
 * An undefined flag may keep its value on one processor and change on another, so code must not
 * depend on it.
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
	 * On which count in a register the effect depends. If there is one, .defined has only the
	 * flags that are defined for every count, and .undefined has all flags that are undefined
	 * for some count.
	 */
	enum wv_flag_count {
		WV_COUNT_NONE,		 /* none, or a constant */
		WV_COUNT_ROTATE,	 /* %cl of rol and ror */
		WV_COUNT_ROTATE_CARRY,	 /* %cl of rcl and rcr */
		WV_COUNT_SHIFT,		 /* %cl of shl and shr */
		WV_COUNT_SHIFT_SIGNED,	 /* %cl of sar */
		WV_COUNT_SHIFT_DOUBLE,	 /* %cl of shld and shrd */
		WV_COUNT_REPEAT,	 /* %rcx or %ecx of rep cmps and rep scas */
	} count;
	/*
	 * The width in bits of the operand that is shifted. For WV_COUNT_REPEAT it is the width of
	 * the counter, %ecx or %rcx. Not used if there is no count.
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
