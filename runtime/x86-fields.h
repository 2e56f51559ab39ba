/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parser for the fields of x86-64 instructions (prefixes, REX, VEX and EVEX, opcode map, opcode,
 * ModRM, SIB, displacement, immediate), and what an instruction does as far as splices need it
 * (enum wr_behavior). These follow regular rules. Whether an instruction exists at all takes tables
 * of thousands of instructions, which the decoders have (x86-rules.h). Freestanding, like
 * trampoline.h.
 */
#ifndef WEFT_X86_FIELDS_H
#define WEFT_X86_FIELDS_H

#include <linux/types.h>

#ifndef __KERNEL__
#include <stdbool.h>
#endif

/* Legacy prefixes, each one's bit. REX is apart. */
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
	WR_PREFIX_EMULATE = 1 << 11, /* EMULATE_SIZE bytes: a hypervisor emulates what follows */
};

/* ud2, and "xen" or "kvm". */
enum { WR_EMULATE_SIZE = 5 };

enum wr_encoding {
	WR_LEGACY,
	WR_VEX,
	WR_EVEX,
};

/* Opcode maps. VEX and EVEX number them so; EVEX has maps 5 and 6 as well. */
enum wr_map {
	WR_MAP_ONE_BYTE,
	WR_MAP_0F,
	WR_MAP_0F38,
	WR_MAP_0F3A,
	WR_MAP_5 = 5,
	WR_MAP_6 = 6,
};

enum {
	WR_REX_B = 1, /* the fourth bit of ModRM's r/m, SIB's base, or the opcode's register */
	WR_REX_X = 2, /* of SIB's index */
	WR_REX_R = 4, /* of ModRM's reg */
	WR_REX_W = 8, /* 64-bit operands */
	WR_MOD_NONE = 0, /* no displacement, but for the two cases below */
	WR_MOD_BYTE = 1,
	WR_MOD_LONG = 2,
	WR_MOD_REGISTER = 3,
	WR_RM_SIB = 4,
	WR_RM_DISP32 = 5, /* MOD_NONE: rip-relative; as a SIB byte's base: no base */
	WR_INDEX_NONE = 4,
};

/* ModRM's and SIB's three parts. */
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

/* What an instruction does, as far as splices need it; input of the rules. */
enum wr_behavior {
	WR_UNDEFINED,
	WR_PLAIN,	  /* runs anywhere, and on into the next instruction */
	WR_SANITIZE,	  /* the same; std, popf, stac: the direction flag, user memory */
	WR_JUMP,	  /* jmp rel8/rel32 */
	WR_JUMP_COND,	  /* jcc rel8/rel32 */
	WR_LOOP,	  /* loop, loope, loopne, jrcxz */
	WR_XBEGIN,	  /* an abort goes to its operand */
	WR_CALL,	  /* call rel32 */
	WR_CALL_INDIRECT,
	WR_JUMP_INDIRECT,
	WR_RETURN,
	WR_RETURN_FAR,	  /* lret */
	WR_JUMP_FAR,
	WR_CALL_FAR,
	WR_RETURN_EVENT,  /* iret, sysret, sysexit, rsm, uiret, erets, eretu */
	WR_SYSTEM_CALL,	  /* syscall, sysenter, enclu, getsec: tells another its own address */
	WR_BREAKPOINT,	  /* int3, int, int1, ud1, ud2: the handler looks at the address */
	WR_SHADOW,	  /* sti, mov to ss: holds interrupts off until the next instruction ends */
	WR_PAIRED,	  /* monitor, mwait, vmrun and their kin: of one piece with a neighbour */
	WR_HALT,	  /* hlt: the same, with the sti before it */
	WR_ENDBR,	  /* endbr64 */
	WR_NR_BEHAVIORS,
};

/* One instruction. Offsets are from its first byte; 0: there is no such part. */
struct wr_fields {
	__u16 prefixes; /* WR_PREFIX_ bits */
	__u8 length;
	__u8 behavior;	/* enum wr_behavior */
	__u8 encoding;	/* enum wr_encoding */
	__u8 map;	/* enum wr_map */
	__u8 opcode;	/* the last byte, where there is an escape */
	__u8 rex;	/* LEGACY: the low four bits say something; 0: none */
	__u8 modrm, sib; /* 0 where there is none */
	__u8 modrm_at, sib_at, displacement_at;
	__u8 immediate_at; /* behind all other parts, whether or not there is an immediate */
	__s32 displacement;
	__s32 immediate; /* sign-extended; of more than four bytes the first four */
};

/*
 * Parses the instruction at @bytes, of which @size are readable. False: undefined or truncated; the
 * contents of @fields are then unspecified.
 */
bool wr_fields_read(struct wr_fields *fields, const __u8 *bytes, unsigned int size);

static inline bool wr_is_rip_relative(const struct wr_fields *fields)
{
	return fields->displacement_at && !fields->sib_at &&
	       wr_modrm_mod(fields->modrm) == WR_MOD_NONE;
}

/* Of one at @address: what its rip-relative operand addresses. */
static inline __u64 wr_rip_operand(const struct wr_fields *fields, __u64 address)
{
	return address + fields->length + fields->displacement;
}

/* Of a direct branch at @address. */
static inline __u64 wr_branch_target(const struct wr_fields *fields, __u64 address)
{
	return address + fields->length + fields->immediate;
}

#endif /* WEFT_X86_FIELDS_H */
