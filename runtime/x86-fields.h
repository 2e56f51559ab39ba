/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the fields of x86-64 instructions (prefixes, REX, VEX and EVEX, opcode map, opcode, ModRM,
 * SIB, displacement, immediate), and classifies what an instruction does, as far as splices need it
 * (enum wr_behavior). Fields follow regular rules. Which instructions exist does not follow any
 * rule: to know that takes tables of thousands of instructions. Only full decoders have such
 * tables, so one of them is asked as well (x86-rules.h). Freestanding, like trampoline.h.
 */
#ifndef WEFT_X86_FIELDS_H
#define WEFT_X86_FIELDS_H

#include <linux/types.h>

#ifndef __KERNEL__
#include <stdbool.h>
#endif

/* Bits of the legacy prefixes; REX is not among them. */
enum {
	WR_PREFIX_ES = 1 << 0,
	WR_PREFIX_CS = 1 << 1,
	WR_PREFIX_SS = 1 << 2,
	WR_PREFIX_DS = 1 << 3,
	WR_PREFIX_FS = 1 << 4,
	WR_PREFIX_GS = 1 << 5,
	WR_PREFIX_DATA = 1 << 6,    /* 66: 16-bit operands */
	WR_PREFIX_ADDRESS = 1 << 7, /* 67: 32-bit addresses */
	WR_PREFIX_LOCK = 1 << 8,
	WR_PREFIX_REPNE = 1 << 9,  /* f2 */
	WR_PREFIX_REP = 1 << 10,   /* f3 */
	/* WR_EMULATE_SIZE bytes that make a hypervisor emulate the instruction after them */
	WR_PREFIX_EMULATE = 1 << 11,
};

/* bytes of a ud2 and the "xen" or "kvm" after it */
enum { WR_EMULATE_SIZE = 5 };

enum wr_encoding {
	WR_LEGACY,
	WR_VEX,
	WR_EVEX,
};

/* Opcode maps, with the numbers that VEX and EVEX use; EVEX has maps 5 and 6 as well. */
enum wr_map {
	WR_MAP_ONE_BYTE,
	WR_MAP_0F,
	WR_MAP_0F38,
	WR_MAP_0F3A,
	WR_MAP_5 = 5,
	WR_MAP_6 = 6,
};

enum {
	/* fourth bit of ModRM's r/m, of SIB's base, or of the register in the opcode */
	WR_REX_B = 1,
	WR_REX_X = 2, /* fourth bit of SIB's index */
	WR_REX_R = 4, /* fourth bit of ModRM's reg */
	WR_REX_W = 8, /* 64-bit operands */
	WR_MOD_NONE = 0, /* no displacement, except with RM_DISP32 */
	WR_MOD_BYTE = 1,
	WR_MOD_LONG = 2,
	WR_MOD_REGISTER = 3,
	WR_RM_SIB = 4,
	WR_RM_DISP32 = 5, /* with MOD_NONE: rip-relative in ModRM, no base in SIB */
	WR_INDEX_NONE = 4,
};

/* The three fields of a ModRM byte. SIB's scale, index and base have the same positions. */
static inline unsigned int wr_modrm_mod(__u8 modrm)
{
	return modrm >> 6;
}

static inline unsigned int wr_modrm_reg(__u8 modrm)
{
	return modrm >> 3 & 7;
}

static inline unsigned int wr_modrm_rm(__u8 modrm)
{
	return modrm & 7;
}

/* What an instruction does, as far as splices need it; the index of wr_rules (x86-rules.h). */
enum wr_behavior {
	WR_UNDEFINED,
	WR_PLAIN,	  /* control continues at the next instruction */
	/* as WR_PLAIN, but it may set the direction flag or open user memory: std, popf, stac */
	WR_SANITIZE,
	WR_JUMP,	  /* jmp rel8/rel32 */
	WR_JUMP_COND,	  /* jcc rel8/rel32 */
	WR_LOOP,	  /* loop, loope, loopne, jrcxz */
	WR_XBEGIN,	  /* xbegin: if the transaction aborts, control continues at the operand */
	WR_CALL,	  /* call rel32 */
	WR_CALL_INDIRECT,
	WR_JUMP_INDIRECT,
	WR_RETURN,
	WR_RETURN_FAR,	  /* lret */
	WR_JUMP_FAR,
	WR_CALL_FAR,
	WR_RETURN_EVENT,  /* iret, sysret, sysexit, rsm, uiret, erets, eretu */
	/*
	 * syscall, sysenter, enclu, getsec: control may return to an address that depends on the
	 * instruction's own address
	 */
	WR_SYSTEM_CALL,
	/* int3, int, int1, ud1, ud2: the handler looks at the instruction's address */
	WR_BREAKPOINT,
	WR_SHADOW,	  /* sti, mov to ss: holds interrupts off until the next instruction ends */
	/*
	 * monitor, mwait, vmrun and the like: must stay next to the instruction before or after it
	 */
	WR_PAIRED,
	WR_HALT,	  /* hlt: must stay next to the sti before it */
	WR_ENDBR,	  /* endbr64 */
	WR_NR_BEHAVIORS,
};

/*
 * The fields of one instruction. .modrm_at, .sib_at and .displacement_at are offsets from the
 * instruction's first byte; 0: it has no such field.
 */
struct wr_fields {
	__u16 prefixes; /* WR_PREFIX_ bits */
	__u8 length;
	__u8 behavior;	/* enum wr_behavior */
	__u8 encoding;	/* enum wr_encoding */
	__u8 map;	/* enum wr_map */
	__u8 opcode;	/* the byte after any escape bytes */
	/* if .encoding is LEGACY: the REX prefix, whose low four bits are WR_REX_ bits; 0: none */
	__u8 rex;
	__u8 modrm, sib; /* 0 if there is none (see .modrm_at, .sib_at) */
	__u8 modrm_at, sib_at, displacement_at;
	/*
	 * where the immediate begins: the offset after all other fields, also if there is no
	 * immediate
	 */
	__u8 immediate_at;
	__s32 displacement;
	/* sign-extended; if the immediate is longer than four bytes, its first four */
	__s32 immediate;
};

/*
 * Parses the instruction at @bytes, of which @size are readable. False: the instruction is
 * undefined or truncated, and the contents of @fields are unspecified.
 */
bool wr_fields_read(struct wr_fields *fields, const __u8 *bytes, unsigned int size);

static inline bool wr_is_rip_relative(const struct wr_fields *fields)
{
	return fields->displacement_at && !fields->sib_at &&
	       wr_modrm_mod(fields->modrm) == WR_MOD_NONE;
}

/* The address that the rip-relative operand of an instruction at @address refers to. */
static inline __u64 wr_rip_operand(const struct wr_fields *fields, __u64 address)
{
	return address + fields->length + fields->displacement;
}

/* The target of a direct branch at @address. */
static inline __u64 wr_branch_target(const struct wr_fields *fields, __u64 address)
{
	return address + fields->length + fields->immediate;
}

#endif /* WEFT_X86_FIELDS_H */
