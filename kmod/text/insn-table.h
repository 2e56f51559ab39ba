/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An instruction taken apart: how long it is, and what stands in it, as far as anybody asks. The kernel's decoder says so of all there
 * are, in some 500 instructions of its own; for those that C is mostly made of, insn-table.c has tables, which take a fraction of that.
 * Any context.
 */
#ifndef WK_INSN_TABLE_H
#define WK_INSN_TABLE_H

#include <linux/types.h>

enum {
	OP_TWO_BYTE = 0x0f,
	OP2_UD2 = 0x0b,
	MOD_REGISTER = 3,
	RM_SIB = 4,
	RM_DISP32 = 5, /* with mod 0: rip-relative; as a SIB base with mod 0: no base */
};

struct wk_insn_fields {
	u8 length;
	u8 opcode, second;  /* its second byte, where the first is 0f */
	u8 rex, modrm, sib; /* 0 where there is none */
	u8 modrm_at, displacement_at; /* from the start; 0: there is none */
	bool has_sib;
	bool has_address_size; /* the prefix 67 */
	bool has_vex;	       /* or EVEX: @opcode is from other maps then, and none of those that one knows from here */
	s32 displacement;
	s32 immediate; /* the first, its first four bytes */
};

/* The @size bytes (at most WEFT_INSN_MAX) that begin with an instruction. False where the decoder fails. */
bool wk_insn_fields_read(const u8 *bytes, unsigned int size, struct wk_insn_fields *ret);

/* The two ways there: false of the first, by tables, says nothing. Where it says true, the other says the same. */
bool wk_insn_fields_look_up(const u8 *bytes, unsigned int size, struct wk_insn_fields *ret);
bool wk_insn_fields_decode(const u8 *bytes, unsigned int size, struct wk_insn_fields *ret);

#endif /* WK_INSN_TABLE_H */
