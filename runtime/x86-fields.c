// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses instructions; see x86-fields.h. Opcodes have the names of the manuals' opcode maps. An
 * opcode that the tables do not list counts as undefined.
 */
#include "abi.h"
#include "x86-fields.h"

/* ---- the tables of opcodes ------------------------------------------------------------------- */

/*
 * An entry of the opcode tables. Its low bits are an enum wr_behavior, or a group: then the
 * behavior depends on the rest of the instruction. Its other bits show which fields follow the
 * opcode.
 */
enum {
	GROUP_FIRST = WR_NR_BEHAVIORS,
	GROUP_BRANCH = GROUP_FIRST, /* ff: call and jmp, near and far, and others */
	GROUP_SYSTEM, /* 0f 01 */
	GROUP_STATE,  /* 0f ae: fxsave and others */
	GROUP_MOV_XBEGIN, /* c7 */
	GROUP_HINT,   /* 0f 1e: nops and endbr */
	GROUP_MOV_TO_SEGMENT, /* 8e */
	GROUP_MOV_CONTROL,    /* 0f 20 to 23: mov of control and debug registers */
	GROUP_POP,	      /* 8f: pop and XOP */
	GROUP_VMREAD,	      /* 0f 78 */
	GROUP_POPCNT,	      /* 0f b8 */
	WHAT = 0x1f,
	/* Bits that say which fields follow the opcode. */
	MODRM = 0x20,
	IMM8 = 0x40,
	IMM16 = 0x80,
	IMM32 = 0x100,
	IMM_Z = 0x200, /* as long as the operand, but at most four bytes */
	IMM_V = 0x400, /* as long as the operand */
	IMM_TEST = 0x800, /* the immediate is there only if ModRM's reg is 0 or 1 (test) */
	IMM_ADDRESS = 0x1000, /* as long as an address */
	LOCK = 0x2000, /* a lock prefix may be possible: see may_lock() */
	IMMEDIATES = IMM8 | IMM16 | IMM32 | IMM_Z | IMM_V | IMM_ADDRESS,
	PLAIN = WR_PLAIN,
	OPERAND = WR_PLAIN | MODRM,
};

_Static_assert(GROUP_POPCNT <= WHAT, "more kinds of opcodes than fit");

enum {
	OP_ARITHMETIC_FIRST = 0x80, /* arithmetic with an immediate */
	OP_ARITHMETIC_LAST = 0x83,
	OP_UNARY_BYTE = 0xf6, /* test, not, neg, mul, div */
	OP_UNARY = 0xf7,
	OP_INC_BYTE = 0xfe,
	OP_INC = 0xff,
	OP2_BIT = 0xba,
	OP2_CMPXCHG16B = 0xc7,
	OP_ESCAPE = 0x0f,
	OP2_UD2 = 0x0b,
	OP2_ESCAPE_38 = 0x38,
	OP2_ESCAPE_3A = 0x3a,
	OP2_VZERO = 0x77, /* VEX: vzeroupper, vzeroall */
	OP_EVEX = 0x62,
	OP_VEX3 = 0xc4,
	OP_VEX2 = 0xc5,
	REX_FIRST = 0x40,
	REX_LAST = 0x4f,
	PREFIXES_MOST = 4,
};

/*
 * The six opcodes, from @first on, of one of add, or, adc, sbb, and, sub, xor, cmp: four with
 * ModRM, and two for al or eax and an immediate.
 */
#define ARITHMETIC(first, lock)                                                         \
	[(first)...(first) + 1] = OPERAND | (lock), [(first) + 2 ... (first) + 3] = OPERAND, \
	[(first) + 4] = PLAIN | IMM8, [(first) + 5] = PLAIN | IMM_Z

static const __u16 one_byte[256] = {
	ARITHMETIC(0x00, LOCK), ARITHMETIC(0x08, LOCK), ARITHMETIC(0x10, LOCK),
	ARITHMETIC(0x18, LOCK), ARITHMETIC(0x20, LOCK), ARITHMETIC(0x28, LOCK),
	ARITHMETIC(0x30, LOCK), ARITHMETIC(0x38, 0),
	[0x50 ... 0x5f] = PLAIN,		      /* push, pop */
	[0x63] = OPERAND,			      /* movslq */
	[0x68] = PLAIN | IMM_Z,			      /* push */
	[0x69] = OPERAND | IMM_Z,		      /* imul */
	[0x6a] = PLAIN | IMM8,			      /* push */
	[0x6b] = OPERAND | IMM8,		      /* imul */
	[0x6c ... 0x6f] = PLAIN,		      /* ins, outs */
	[0x70 ... 0x7f] = WR_JUMP_COND | IMM8,
	[0x80] = OPERAND | IMM8 | LOCK,		      /* add to cmp */
	[0x81] = OPERAND | IMM_Z | LOCK,
	[0x83] = OPERAND | IMM8 | LOCK,
	[0x84 ... 0x85] = OPERAND,		      /* test */
	[0x86 ... 0x87] = OPERAND | LOCK,	      /* xchg */
	[0x88 ... 0x8d] = OPERAND,		      /* mov, lea */
	[0x8e] = GROUP_MOV_TO_SEGMENT | MODRM,
	[0x8f] = GROUP_POP | MODRM,
	[0x90 ... 0x99] = PLAIN,		      /* nop, xchg, cltq, cqto */
	[0x9b ... 0x9c] = PLAIN,		      /* fwait, pushf */
	[0x9d] = WR_SANITIZE,			      /* popf */
	[0x9e ... 0x9f] = PLAIN,		      /* sahf, lahf */
	[0xa0 ... 0xa3] = PLAIN | IMM_ADDRESS,	      /* mov of an absolute address */
	[0xa4 ... 0xa7] = PLAIN,		      /* movs, cmps */
	[0xa8] = PLAIN | IMM8,			      /* test */
	[0xa9] = PLAIN | IMM_Z,
	[0xaa ... 0xaf] = PLAIN,		      /* stos, lods, scas */
	[0xb0 ... 0xb7] = PLAIN | IMM8,		      /* mov */
	[0xb8 ... 0xbf] = PLAIN | IMM_V,
	[0xc0 ... 0xc1] = OPERAND | IMM8,	      /* shifts */
	[0xc2] = WR_RETURN | IMM16,
	[0xc3] = WR_RETURN,
	[0xc6] = OPERAND | IMM8,		      /* mov, xabort */
	[0xc7] = GROUP_MOV_XBEGIN | MODRM | IMM_Z,
	[0xc8] = PLAIN | IMM16 | IMM8,		      /* enter */
	[0xc9] = PLAIN,				      /* leave */
	[0xca] = WR_RETURN_FAR | IMM16,
	[0xcb] = WR_RETURN_FAR,
	[0xcc] = WR_BREAKPOINT,			      /* int3 */
	[0xcd] = WR_BREAKPOINT | IMM8,		      /* int */
	[0xcf] = WR_RETURN_EVENT,		      /* iret */
	[0xd0 ... 0xd3] = OPERAND,		      /* shifts */
	[0xd7] = PLAIN,				      /* xlat */
	[0xd8 ... 0xdf] = OPERAND,		      /* x87 */
	[0xe0 ... 0xe3] = WR_LOOP | IMM8,
	[0xe4 ... 0xe7] = PLAIN | IMM8,		      /* in, out */
	[0xe8] = WR_CALL | IMM32,
	[0xe9] = WR_JUMP | IMM32,
	[0xeb] = WR_JUMP | IMM8,
	[0xec ... 0xef] = PLAIN,		      /* in, out */
	[0xf1] = WR_BREAKPOINT,			      /* int1 */
	[0xf4] = WR_HALT,
	[0xf5] = PLAIN,				      /* cmc */
	[0xf6] = OPERAND | IMM8 | IMM_TEST | LOCK,    /* test, not, neg, mul, div */
	[0xf7] = OPERAND | IMM_Z | IMM_TEST | LOCK,
	[0xf8 ... 0xfa] = PLAIN,		      /* clc, stc, cli */
	[0xfb] = WR_SHADOW,			      /* sti */
	[0xfc] = PLAIN,				      /* cld */
	[0xfd] = WR_SANITIZE,			      /* std */
	[0xfe] = OPERAND | LOCK,		      /* inc, dec */
	[0xff] = GROUP_BRANCH | MODRM | LOCK,
};

/*
 * Opcodes after 0f. VEX and EVEX opcodes in map 1 have an immediate where this table has one. Left
 * out, so undefined: 0f 19 and 0f 1d, nops whose length the kernel's decoder gets wrong; and ud0
 * (0f ff), which has a ModRM byte on one vendor's processors only.
 */
static const __u16 two_byte[256] = {
	[0x00] = OPERAND,			      /* sldt to verw */
	[0x01] = GROUP_SYSTEM | MODRM,
	[0x02 ... 0x03] = OPERAND,		      /* lar, lsl */
	[0x05] = WR_SYSTEM_CALL,		      /* syscall */
	[0x06] = PLAIN,				      /* clts */
	[0x07] = WR_RETURN_EVENT,		      /* sysret */
	[0x08 ... 0x09] = PLAIN,		      /* invd, wbinvd */
	[0x0b] = WR_BREAKPOINT,			      /* ud2 */
	[0x0d] = OPERAND,			      /* prefetchw */
	[0x0e] = PLAIN,				      /* femms */
	[0x0f] = OPERAND | IMM8,		      /* 3DNow!: its own opcode is the last byte */
	[0x10 ... 0x18] = OPERAND,		      /* SSE moves; prefetch */
	[0x1a ... 0x1c] = OPERAND,		      /* bounds, cldemote */
	[0x1e] = GROUP_HINT | MODRM,
	[0x1f] = OPERAND,			      /* nop */
	[0x20 ... 0x23] = GROUP_MOV_CONTROL | MODRM,
	[0x28 ... 0x2f] = OPERAND,		      /* SSE */
	[0x30 ... 0x33] = PLAIN,		      /* wrmsr, rdtsc, rdmsr, rdpmc */
	[0x34] = WR_SYSTEM_CALL,		      /* sysenter */
	[0x35] = WR_RETURN_EVENT,		      /* sysexit */
	[0x37] = WR_SYSTEM_CALL,		      /* getsec: control may continue elsewhere */
	[0x40 ... 0x6f] = OPERAND,		      /* cmov; SSE, MMX */
	[0x70 ... 0x73] = OPERAND | IMM8,	      /* shuffles and shifts */
	[0x74 ... 0x76] = OPERAND,
	[0x77] = PLAIN,				      /* emms */
	[0x78] = GROUP_VMREAD | MODRM,
	[0x79] = OPERAND,			      /* vmwrite */
	[0x7c ... 0x7f] = OPERAND,		      /* SSE, MMX */
	[0x80 ... 0x8f] = WR_JUMP_COND | IMM32,
	[0x90 ... 0x9f] = OPERAND,		      /* set */
	[0xa0 ... 0xa2] = PLAIN,		      /* push and pop of fs, cpuid */
	[0xa3] = OPERAND,			      /* bt */
	[0xa4] = OPERAND | IMM8,		      /* shld */
	[0xa5 ... 0xa7] = OPERAND,		      /* shld, PadLock */
	[0xa8 ... 0xa9] = PLAIN,		      /* push and pop of gs */
	[0xaa] = WR_RETURN_EVENT,		      /* rsm */
	[0xab] = OPERAND | LOCK,		      /* bts */
	[0xac] = OPERAND | IMM8,		      /* shrd */
	[0xad] = OPERAND,
	[0xae] = GROUP_STATE | MODRM,
	[0xaf] = OPERAND,			      /* imul */
	[0xb0 ... 0xb1] = OPERAND | LOCK,	      /* cmpxchg */
	[0xb2] = OPERAND,			      /* lss */
	[0xb3] = OPERAND | LOCK,		      /* btr */
	[0xb4 ... 0xb7] = OPERAND,		      /* lfs, lgs, movz */
	[0xb8] = GROUP_POPCNT | MODRM,
	[0xb9] = WR_BREAKPOINT | MODRM,		      /* ud1 */
	[0xba] = OPERAND | IMM8 | LOCK,		      /* bt to btc */
	[0xbb] = OPERAND | LOCK,		      /* btc */
	[0xbc ... 0xbf] = OPERAND,		      /* bsf, bsr, movs */
	[0xc0 ... 0xc1] = OPERAND | LOCK,	      /* xadd */
	[0xc2] = OPERAND | IMM8,		      /* cmpps */
	[0xc3] = OPERAND,			      /* movnti */
	[0xc4 ... 0xc6] = OPERAND | IMM8,	      /* pinsrw, pextrw, shufps */
	[0xc7] = OPERAND | LOCK,		      /* cmpxchg16b, rdrand */
	[0xc8 ... 0xcf] = PLAIN,		      /* bswap */
	[0xd0 ... 0xfe] = OPERAND,		      /* SSE, MMX */
};

static const __u16 prefix_bits[256] = {
	[0x26] = WR_PREFIX_ES,	 [0x2e] = WR_PREFIX_CS,	     [0x36] = WR_PREFIX_SS,
	[0x3e] = WR_PREFIX_DS,	 [0x64] = WR_PREFIX_FS,	     [0x65] = WR_PREFIX_GS,
	[0x66] = WR_PREFIX_DATA, [0x67] = WR_PREFIX_ADDRESS, [0xf0] = WR_PREFIX_LOCK,
	[0xf2] = WR_PREFIX_REPNE, [0xf3] = WR_PREFIX_REP,
};

/* ---- opcodes whose behavior depends on the rest of the instruction --------------------------- */

/* Opcode ff, by ModRM's reg; 7 is undefined. */
static enum wr_behavior branch_group(const struct wr_fields *fields)
{
	static const __u8 behaviors[8] = {
		[0] = WR_PLAIN, /* inc */
		[1] = WR_PLAIN, /* dec */
		[2] = WR_CALL_INDIRECT,
		[3] = WR_CALL_FAR,
		[4] = WR_JUMP_INDIRECT,
		[5] = WR_JUMP_FAR,
		[6] = WR_PLAIN, /* push */
	};

	return behaviors[wr_modrm_reg(fields->modrm)];
}

/*
 * Opcode 0f 01. With a memory operand: sgdt to invlpg. With a register operand: a different
 * instruction for each ModRM byte.
 */
static enum wr_behavior system_group(const struct wr_fields *fields)
{
	const bool repeated = fields->prefixes & (WR_PREFIX_REP | WR_PREFIX_REPNE);

	enum {
		MONITOR = 0xc8,
		MWAIT = 0xc9,
		CLAC = 0xca, /* with prefix f2: erets; with prefix f3: eretu */
		STAC = 0xcb,
		ENCLU = 0xd7,
		VMRUN = 0xd8,
		UIRET = 0xec, /* with prefix f3 only */
		MONITORX = 0xfa, /* with prefix f3: mcommit */
		MWAITX = 0xfb,
	};

	switch (fields->modrm) {
	case MONITOR:
	case MWAIT:
	case MWAITX:
	case VMRUN:
		return WR_PAIRED;
	case MONITORX:
		return fields->prefixes & WR_PREFIX_REP ? WR_PLAIN : WR_PAIRED;
	case STAC:
		return WR_SANITIZE;
	case CLAC:
	case UIRET:
		return repeated ? WR_RETURN_EVENT : WR_PLAIN;
	case ENCLU:
		return WR_SYSTEM_CALL;
	default:
		return WR_PLAIN;
	}
}

/*
 * Opcode 0f ae. ModRM's reg 6 with prefix f3 is umonitor, with f2 umwait. All others save or
 * restore state, or are fences.
 */
static enum wr_behavior state_group(const struct wr_fields *fields)
{
	enum { UMONITOR = 6 };

	return wr_modrm_mod(fields->modrm) == WR_MOD_REGISTER &&
			       wr_modrm_reg(fields->modrm) == UMONITOR &&
			       fields->prefixes & (WR_PREFIX_REP | WR_PREFIX_REPNE) ?
		       WR_PAIRED :
		       WR_PLAIN;
}

static enum wr_behavior behavior_of(const struct wr_fields *fields, unsigned int what)
{
	enum { MODRM_XBEGIN = 0xf8, MODRM_ENDBR64 = 0xfa, SEGMENT_SS = 2, DIGIT_MOV = 0 };
	const __u8 modrm = fields->modrm;

	switch (what) {
	case GROUP_BRANCH:
		return branch_group(fields);
	case GROUP_SYSTEM:
		return system_group(fields);
	case GROUP_STATE:
		return state_group(fields);
	case GROUP_MOV_XBEGIN:
		if (modrm == MODRM_XBEGIN)
			return WR_XBEGIN;
		return wr_modrm_reg(modrm) == DIGIT_MOV ? WR_PLAIN : WR_UNDEFINED;
	case GROUP_HINT:
		/* Without prefix f3 an endbr64 is a nop; the prefix is not checked here. */
		return modrm == MODRM_ENDBR64 ? WR_ENDBR : WR_PLAIN;
	case GROUP_MOV_TO_SEGMENT:
		return wr_modrm_reg(modrm) == SEGMENT_SS ? WR_SHADOW : WR_PLAIN;
	case GROUP_MOV_CONTROL:
		/*
		 * The processor treats the operand as a register whatever ModRM's mod is. Decoders
		 * do not, so a memory operand is undefined here.
		 */
		return wr_modrm_mod(modrm) == WR_MOD_REGISTER ? WR_PLAIN : WR_UNDEFINED;
	case GROUP_POP:
		/*
		 * Other values of reg make it an XOP instruction, which the kernel's decoder would
		 * take for a pop.
		 */
		return wr_modrm_reg(modrm) == 0 ? WR_PLAIN : WR_UNDEFINED;
	case GROUP_VMREAD:
		/*
		 * With these prefixes it is an SSE4a instruction with two immediate bytes, which
		 * the kernel's decoder does not count.
		 */
		return fields->prefixes & (WR_PREFIX_DATA | WR_PREFIX_REPNE) ? WR_UNDEFINED :
									      WR_PLAIN;
	case GROUP_POPCNT:
		return fields->prefixes & WR_PREFIX_REP ? WR_PLAIN : WR_UNDEFINED;
	default:
		return what;
	}
}

/* ---- reading the fields of an instruction ---------------------------------------------------- */

static __s32 read_long(const __u8 *at)
{
	return at[0] | at[1] << 8 | at[2] << 16 | (__u32)at[3] << 24;
}

/*
 * Returns whether a ud2 followed by the bytes "xen" or "kvm" is there. These five bytes make a
 * hypervisor emulate the instruction after them.
 */
static bool is_emulate_prefix(const __u8 *bytes, unsigned int size)
{
	if (size < WR_EMULATE_SIZE || bytes[0] != OP_ESCAPE || bytes[1] != OP2_UD2)
		return false;
	return (bytes[2] == 'x' && bytes[3] == 'e' && bytes[4] == 'n') ||
	       (bytes[2] == 'k' && bytes[3] == 'v' && bytes[4] == 'm');
}

/*
 * Reads the VEX prefix of two or three bytes, or the EVEX prefix, that begins at @at, and the
 * opcode. (In 64-bit mode the prefix's first byte has no other meaning.) Returns the offset of the
 * byte after the opcode; 0: the instruction is undefined.
 */
static unsigned int read_vex(struct wr_fields *fields, const __u8 *bytes, unsigned int size,
			     unsigned int at, __u16 *what_ret)
{
	enum { VEX2_OPCODE = 2, VEX3_OPCODE = 3, EVEX_OPCODE = 4, VEX_MAP = 0x1f, EVEX_MAP = 7 };
	const unsigned int own = WR_PREFIX_DATA | WR_PREFIX_LOCK | WR_PREFIX_REPNE | WR_PREFIX_REP;
	const __u8 first = bytes[at];

	/*
	 * VEX and EVEX have fields of their own in the place of REX and the prefixes @own, so these
	 * must not precede them.
	 */
	if (fields->rex || fields->prefixes & own)
		return 0;
	fields->encoding = first == OP_EVEX ? WR_EVEX : WR_VEX;
	fields->map = WR_MAP_0F;
	if (first != OP_VEX2 && at + 1 < size)
		fields->map = bytes[at + 1] & (first == OP_EVEX ? EVEX_MAP : VEX_MAP);
	at += first == OP_VEX2 ? VEX2_OPCODE : first == OP_VEX3 ? VEX3_OPCODE : EVEX_OPCODE;
	if (at >= size)
		return 0;
	fields->opcode = bytes[at];
	switch (fields->map) {
	case WR_MAP_0F:
		/* the only VEX opcode without ModRM */
		if (fields->encoding == WR_VEX && fields->opcode == OP2_VZERO)
			*what_ret = PLAIN;
		else
			*what_ret = OPERAND | (two_byte[fields->opcode] & IMM8);
		break;
	case WR_MAP_0F3A:
		*what_ret = OPERAND | IMM8;
		break;
	case WR_MAP_5:
	case WR_MAP_6:
		if (fields->encoding == WR_VEX)
			return 0;
		*what_ret = OPERAND;
		break;
	case WR_MAP_0F38:
		*what_ret = OPERAND;
		break;
	default:
		return 0;
	}
	return at + 1;
}

/* Reads escape bytes and opcode. Returns the offset of the byte after them; 0: undefined. */
static unsigned int read_opcode(struct wr_fields *fields, const __u8 *bytes, unsigned int size,
				unsigned int at, __u16 *what_ret)
{
	switch (bytes[at]) {
	case OP_ESCAPE:
		if (++at == size)
			return 0;
		fields->map = WR_MAP_0F;
		if (bytes[at] != OP2_ESCAPE_38 && bytes[at] != OP2_ESCAPE_3A) {
			fields->opcode = bytes[at];
			*what_ret = two_byte[fields->opcode];
			return at + 1;
		}
		fields->map = bytes[at] == OP2_ESCAPE_38 ? WR_MAP_0F38 : WR_MAP_0F3A;
		if (++at == size)
			return 0;
		fields->opcode = bytes[at];
		*what_ret = fields->map == WR_MAP_0F38 ? OPERAND : OPERAND | IMM8;
		return at + 1;
	case OP_VEX2:
	case OP_VEX3:
	case OP_EVEX:
		return read_vex(fields, bytes, size, at, what_ret);
	}
	fields->opcode = bytes[at];
	*what_ret = one_byte[fields->opcode];
	return at + 1;
}

/*
 * Reads ModRM, and SIB and displacement if ModRM asks for them. Returns the offset of the byte
 * after them; 0: truncated.
 */
static unsigned int read_operand(struct wr_fields *fields, const __u8 *bytes, unsigned int size,
				 unsigned int at)
{
	unsigned int mod, base;

	if (at >= size)
		return 0;
	fields->modrm_at = at;
	fields->modrm = bytes[at++];
	mod = wr_modrm_mod(fields->modrm);
	base = wr_modrm_rm(fields->modrm);
	if (mod == WR_MOD_REGISTER)
		return at;
	if (base == WR_RM_SIB) {
		if (at >= size)
			return 0;
		fields->sib_at = at;
		fields->sib = bytes[at++];
		base = wr_modrm_rm(fields->sib);
	}
	if (mod == WR_MOD_NONE && base != WR_RM_DISP32)
		return at;
	fields->displacement_at = at;
	if (mod == WR_MOD_BYTE) {
		if (at >= size)
			return 0;
		fields->displacement = (__s8)bytes[at];
		return at + 1;
	}
	if (at + 4 > size)
		return 0;
	fields->displacement = read_long(bytes + at);
	return at + 4;
}

/* Returns the size of the immediate in bytes; 0: there is none. */
static unsigned int immediate_size(const struct wr_fields *fields, unsigned int what)
{
	const bool wide = fields->rex & WR_REX_W;

	if (!(what & IMMEDIATES) || (what & IMM_TEST && wr_modrm_reg(fields->modrm) > 1))
		return 0;
	if (what & (IMM8 | IMM16))
		return (what & IMM8 ? 1 : 0) + (what & IMM16 ? 2 : 0);
	if (what & IMM32)
		return 4;
	if (what & IMM_ADDRESS)
		return fields->prefixes & WR_PREFIX_ADDRESS ? 4 : 8;
	if (fields->prefixes & WR_PREFIX_DATA && !wide)
		return 2;
	return wide && what & IMM_V ? 8 : 4;
}

/* Reads the immediate and sets the instruction's length. False: truncated. */
static bool read_immediate(struct wr_fields *fields, const __u8 *bytes, unsigned int size,
			   unsigned int what)
{
	const __u8 *at = bytes + fields->immediate_at;
	const unsigned int length = immediate_size(fields, what);

	if (fields->immediate_at + length > size)
		return false;
	fields->length = fields->immediate_at + length;
	if (length >= 4)
		fields->immediate = read_long(at);
	else if (length >= 2)
		fields->immediate = (__s16)(at[0] | at[1] << 8);
	else if (length)
		fields->immediate = (__s8)at[0];
	return true;
}

/* Are there more than PREFIXES_MOST different prefixes? The kernel's decoder accepts no more. */
static bool has_too_many(unsigned int prefixes)
{
	unsigned int n = 0;

	for (; prefixes; prefixes &= prefixes - 1)
		n++;
	return n > PREFIXES_MOST;
}

/*
 * Returns whether the instruction may have a lock prefix: it must be one of those that allow it,
 * and ModRM's operand (r/m) must be in memory. With any other instruction the prefix raises #UD.
 */
static bool may_lock(const struct wr_fields *fields, unsigned int what)
{
	enum { CMP = 7, NOT = 2, NEG = 3, DEC = 1, BTS = 5, CMPXCHG16B = 1 };
	const unsigned int digit = wr_modrm_reg(fields->modrm);

	if (!(what & LOCK) || wr_modrm_mod(fields->modrm) == WR_MOD_REGISTER)
		return false;
	switch (fields->opcode) {
	case OP_ARITHMETIC_FIRST ... OP_ARITHMETIC_LAST:
		return digit != CMP;
	case OP_UNARY_BYTE:
	case OP_UNARY:
		return digit == NOT || digit == NEG;
	case OP_INC_BYTE:
	case OP_INC:
		return digit <= DEC;
	case OP2_BIT:
		return digit >= BTS;
	case OP2_CMPXCHG16B:
		return digit == CMPXCHG16B;
	default:
		return true;
	}
}

/*
 * Parses the instruction that begins at @at. A REX prefix must be the last prefix: the byte after
 * it is read as the opcode, and the tables do not list the bytes of prefixes as opcodes.
 */
static bool read_fields(struct wr_fields *fields, const __u8 *bytes, unsigned int size,
			unsigned int at)
{
	const unsigned int begin = at;
	__u16 what;

	while (at < size && prefix_bits[bytes[at]])
		fields->prefixes |= prefix_bits[bytes[at++]];
	if (at - begin > PREFIXES_MOST && has_too_many(fields->prefixes))
		return false;
	if (at < size && bytes[at] >= REX_FIRST && bytes[at] <= REX_LAST)
		fields->rex = bytes[at++];
	if (at >= size)
		return false;
	at = read_opcode(fields, bytes, size, at, &what);
	/*
	 * With prefix 66 and without REX.W, some processors read a branch's displacement as 16
	 * bits.
	 */
	if (!at || (what & IMM32 && fields->prefixes & WR_PREFIX_DATA && !(fields->rex & WR_REX_W)))
		return false;
	if (what & MODRM)
		at = read_operand(fields, bytes, size, at);
	if (!at || (fields->prefixes & WR_PREFIX_LOCK && !may_lock(fields, what)))
		return false;
	fields->immediate_at = at;
	fields->behavior = what & WHAT;
	if (fields->behavior >= GROUP_FIRST)
		fields->behavior = behavior_of(fields, fields->behavior);
	return fields->behavior != WR_UNDEFINED && read_immediate(fields, bytes, size, what);
}

bool wr_fields_read(struct wr_fields *fields, const __u8 *bytes, unsigned int size)
{
	const bool emulate = is_emulate_prefix(bytes, size);

	*fields = (struct wr_fields){ 0 };
	if (size > WEFT_INSN_MAX)
		size = WEFT_INSN_MAX;
	if (!read_fields(fields, bytes, size, emulate ? WR_EMULATE_SIZE : 0))
		return false;
	if (!emulate)
		return true;
	if (fields->behavior != WR_PLAIN)
		return false;
	fields->prefixes |= WR_PREFIX_EMULATE;
	fields->behavior = WR_BREAKPOINT;
	return true;
}
