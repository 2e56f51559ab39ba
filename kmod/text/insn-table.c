// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Taking instructions apart; see insn-table.h. The tables say of an opcode what follows it. What they do not say, because it is rare in
 * a kernel or because prefixes change what it is (SSE, x87, VEX, moves to absolute addresses, address sizes), the kernel's decoder
 * is asked for; so a hole in a table costs time, and nothing else. That both say the same of every instruction of a kernel, and of
 * what nobody would write, is tested (tests/oracle/agree.c).
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <asm/insn.h>

#include "runtime/abi.h"
#include "text/insn-table.h"
#include "base/unexported.h"

enum {
	REX_W = 8,
	PREFIX_DATA_SIZE = 0x66,
	PREFIX_ADDRESS_SIZE = 0x67,
	PREFIX_REPEAT_NOT = 0xf2,
	PREFIX_REPEAT = 0xf3,
	MOD_NONE = 0,
	MOD_BYTE = 1,
	MOD_LONG = 2,
	PREFIXES_MOST = 4, /* that the kernel's decoder takes, if each is another */
};

/* What follows an opcode. */
enum {
	KNOWN = 1, /* nothing, or what the others say */
	MODRM = 2,
	IMM8 = 4,
	IMM16 = 8,
	IMM_Z = 16,  /* of the operand's size, four bytes for eight */
	IMM_V = 32,  /* of the operand's size */
	TEST = 64,   /* an immediate where the ModRM byte's reg is 0 or 1 */
	PLAIN = 128, /* none of 66, f2 and f3 comes before it: they would make something else of it */
	PREFIX = 256, /* it is no opcode */
	REX = 512,    /* nor is it: the last prefix */
};

#define FOLLOWS(what) (KNOWN | (what))
#define ARITHMETIC(first)                                  \
	[(first)...(first) + 3] = FOLLOWS(MODRM),          \
	[(first) + 4] = FOLLOWS(IMM8), [(first) + 5] = FOLLOWS(IMM_Z)

static const u16 one_byte[256] = {
	ARITHMETIC(0x00), ARITHMETIC(0x08), ARITHMETIC(0x10), ARITHMETIC(0x18),
	ARITHMETIC(0x20), ARITHMETIC(0x28), ARITHMETIC(0x30), ARITHMETIC(0x38),
	[0x26] = PREFIX,
	[0x2e] = PREFIX,
	[0x36] = PREFIX,
	[0x3e] = PREFIX,
	[0x40 ... 0x4f] = REX,
	[0x50 ... 0x5f] = KNOWN,
	[0x63] = FOLLOWS(MODRM),
	[0x64 ... 0x66] = PREFIX,
	[0x68] = FOLLOWS(IMM_Z),
	[0x69] = FOLLOWS(MODRM | IMM_Z),
	[0x6a] = FOLLOWS(IMM8),
	[0x6b] = FOLLOWS(MODRM | IMM8),
	[0x6c ... 0x6f] = KNOWN,
	[0x70 ... 0x7f] = FOLLOWS(IMM8 | PLAIN),
	[0x80] = FOLLOWS(MODRM | IMM8),
	[0x81] = FOLLOWS(MODRM | IMM_Z),
	[0x83] = FOLLOWS(MODRM | IMM8),
	[0x84 ... 0x8e] = FOLLOWS(MODRM),
	[0x90 ... 0x99] = KNOWN,
	[0x9b ... 0x9f] = KNOWN,
	[0xa4 ... 0xa7] = KNOWN,
	[0xa8] = FOLLOWS(IMM8),
	[0xa9] = FOLLOWS(IMM_Z),
	[0xaa ... 0xaf] = KNOWN,
	[0xb0 ... 0xb7] = FOLLOWS(IMM8),
	[0xb8 ... 0xbf] = FOLLOWS(IMM_V),
	[0xc0 ... 0xc1] = FOLLOWS(MODRM | IMM8),
	[0xc2] = FOLLOWS(IMM16),
	[0xc3] = KNOWN,
	[0xc6] = FOLLOWS(MODRM | IMM8),
	[0xc7] = FOLLOWS(MODRM | IMM_Z),
	[0xc9] = KNOWN,
	[0xca] = FOLLOWS(IMM16),
	[0xcb ... 0xcc] = KNOWN,
	[0xcd] = FOLLOWS(IMM8),
	[0xcf] = KNOWN,
	[0xd0 ... 0xd3] = FOLLOWS(MODRM),
	[0xe0 ... 0xe3] = FOLLOWS(IMM8 | PLAIN),
	[0xe4 ... 0xe7] = FOLLOWS(IMM8),
	[0xe8 ... 0xe9] = FOLLOWS(IMM_Z | PLAIN),
	[0xeb] = FOLLOWS(IMM8 | PLAIN),
	[0xec ... 0xef] = KNOWN,
	[0xf0] = PREFIX,
	[0xf2 ... 0xf3] = PREFIX,
	[0xf4 ... 0xf5] = KNOWN,
	[0xf6] = FOLLOWS(MODRM | IMM8 | TEST),
	[0xf7] = FOLLOWS(MODRM | IMM_Z | TEST),
	[0xf8 ... 0xfd] = KNOWN,
	[0xfe ... 0xff] = FOLLOWS(MODRM),
};

/* Behind 0f. */
static const u16 two_byte[256] = {
	[0x00 ... 0x03] = FOLLOWS(MODRM | PLAIN),
	[0x06] = FOLLOWS(PLAIN),
	[0x08 ... 0x09] = FOLLOWS(PLAIN),
	[0x0b] = FOLLOWS(PLAIN),
	[0x0d] = FOLLOWS(MODRM | PLAIN),
	[0x18] = FOLLOWS(MODRM | PLAIN),
	[0x1e ... 0x1f] = FOLLOWS(MODRM),
	[0x20 ... 0x23] = FOLLOWS(MODRM | PLAIN),
	[0x30 ... 0x33] = FOLLOWS(PLAIN),
	[0x40 ... 0x4f] = FOLLOWS(MODRM | PLAIN),
	[0x80 ... 0x8f] = FOLLOWS(IMM_Z | PLAIN),
	[0x90 ... 0x9f] = FOLLOWS(MODRM | PLAIN),
	[0xa0 ... 0xa2] = FOLLOWS(PLAIN),
	[0xa3] = FOLLOWS(MODRM | PLAIN),
	[0xa4] = FOLLOWS(MODRM | IMM8 | PLAIN),
	[0xa5] = FOLLOWS(MODRM | PLAIN),
	[0xa8 ... 0xa9] = FOLLOWS(PLAIN),
	[0xab] = FOLLOWS(MODRM | PLAIN),
	[0xac] = FOLLOWS(MODRM | IMM8 | PLAIN),
	[0xad ... 0xb1] = FOLLOWS(MODRM | PLAIN),
	[0xb3] = FOLLOWS(MODRM | PLAIN),
	[0xb6 ... 0xb7] = FOLLOWS(MODRM | PLAIN),
	[0xba] = FOLLOWS(MODRM | IMM8 | PLAIN),
	[0xbb ... 0xc1] = FOLLOWS(MODRM | PLAIN),
	[0xc7] = FOLLOWS(MODRM | PLAIN),
	[0xc8 ... 0xcf] = FOLLOWS(PLAIN),
};

/* On the way through the bytes. */
struct cursor {
	const u8 *bytes;
	unsigned int size, at;
	bool data_size, repeated; /* prefixes: 66; f2 or f3 */
};

/* False: there are too many, or nothing else. */
static bool pass_prefixes(struct cursor *c)
{
	for (; c->at < c->size; c->at++) {
		u8 byte = c->bytes[c->at];

		if (!(one_byte[byte] & PREFIX))
			return c->at <= PREFIXES_MOST;
		c->data_size |= byte == PREFIX_DATA_SIZE;
		c->repeated |= byte == PREFIX_REPEAT_NOT || byte == PREFIX_REPEAT;
	}
	return false;
}

/* What follows the opcode; 0: nobody knows. Behind ud2 there may be what makes a hypervisor's prefix of it. */
static unsigned int read_opcode(struct cursor *c, struct wk_insn_fields *ret)
{
	unsigned int follows;

	ret->opcode = c->bytes[c->at++];
	if (ret->opcode != OP_TWO_BYTE) {
		follows = one_byte[ret->opcode];
	} else {
		if (c->at == c->size)
			return 0;
		ret->second = c->bytes[c->at++];
		follows = two_byte[ret->second];
		if (ret->second == OP2_UD2 && c->at < c->size && (c->bytes[c->at] == 'x' || c->bytes[c->at] == 'k'))
			return 0;
	}
	if (!(follows & KNOWN) || (follows & PLAIN && (c->data_size || c->repeated)))
		return 0;
	return follows;
}

/* Of eight bytes the first four. */
static bool read_value(struct cursor *c, unsigned int bytes, s32 *ret)
{
	const u8 *at = c->bytes + c->at;
	s16 word;

	if (bytes > c->size - c->at)
		return false;
	c->at += bytes;
	if (bytes == 1) {
		*ret = (s8)*at;
	} else if (bytes == 2) {
		memcpy(&word, at, sizeof(word));
		*ret = word;
	} else {
		memcpy(ret, at, sizeof(*ret));
	}
	return true;
}

/* The ModRM byte and what it says is behind it. */
static bool read_operand(struct cursor *c, struct wk_insn_fields *ret)
{
	unsigned int mod, base;

	if (c->at == c->size)
		return false;
	ret->modrm_at = c->at;
	ret->modrm = c->bytes[c->at++];
	mod = X86_MODRM_MOD(ret->modrm);
	base = X86_MODRM_RM(ret->modrm);
	if (mod == MOD_REGISTER)
		return true;
	if (base == RM_SIB) {
		if (c->at == c->size)
			return false;
		ret->has_sib = true;
		ret->sib = c->bytes[c->at++];
		base = X86_SIB_BASE(ret->sib);
	}
	if (mod == MOD_NONE && base != RM_DISP32)
		return true;
	ret->displacement_at = c->at;
	return read_value(c, mod == MOD_BYTE ? 1 : 4, &ret->displacement);
}

static unsigned int immediate_size(const struct cursor *c, const struct wk_insn_fields *fields, unsigned int follows)
{
	bool wide = fields->rex & REX_W;

	if (follows & TEST && X86_MODRM_REG(fields->modrm) > 1)
		return 0;
	if (follows & IMM8)
		return 1;
	if (follows & IMM16)
		return 2;
	if (follows & (IMM_Z | IMM_V) && c->data_size && !wide)
		return 2;
	if (follows & IMM_Z)
		return 4;
	if (follows & IMM_V)
		return wide ? 8 : 4;
	return 0;
}

bool wk_insn_fields_look_up(const u8 *bytes, unsigned int size, struct wk_insn_fields *ret)
{
	struct cursor c = { .bytes = bytes, .size = size };
	unsigned int follows, immediate;

	*ret = (struct wk_insn_fields){ 0 };
	if (!pass_prefixes(&c))
		return false;
	if (one_byte[c.bytes[c.at]] & REX) {
		ret->rex = c.bytes[c.at++];
		if (c.at == c.size)
			return false;
	}
	follows = read_opcode(&c, ret);
	if (!follows || (follows & MODRM && !read_operand(&c, ret)))
		return false;
	immediate = immediate_size(&c, ret, follows);
	if (immediate && !read_value(&c, immediate, &ret->immediate))
		return false;
	ret->length = c.at;
	return true;
}

static bool has_prefix(const struct insn *insn, u8 prefix)
{
	for (int i = 0; i < insn->prefixes.nbytes && i < 4; i++)
		if (insn->prefixes.bytes[i] == prefix)
			return true;
	return false;
}

bool wk_insn_fields_decode(const u8 *bytes, unsigned int size, struct wk_insn_fields *ret)
{
	struct insn insn;

	if (wk_unexported.insn_decode(&insn, bytes, size, INSN_MODE_64) < 0 || insn.length > size)
		return false;
	*ret = (struct wk_insn_fields){
		.length = insn.length,
		.opcode = insn.opcode.bytes[0],
		.second = insn.opcode.bytes[1],
		.rex = insn.rex_prefix.bytes[0],
		.modrm = insn.modrm.bytes[0],
		.sib = insn.sib.bytes[0],
		.modrm_at = insn.modrm.nbytes ? insn_offset_modrm(&insn) : 0,
		.displacement_at = insn.displacement.nbytes ? insn_offset_displacement(&insn) : 0,
		.has_sib = insn.sib.nbytes,
		.has_address_size = has_prefix(&insn, PREFIX_ADDRESS_SIZE),
		.has_vex = insn.vex_prefix.nbytes,
		.displacement = insn.displacement.value,
		.immediate = insn.immediate.value,
	};
	return true;
}

bool wk_insn_fields_read(const u8 *bytes, unsigned int size, struct wk_insn_fields *ret)
{
	return wk_insn_fields_look_up(bytes, size, ret) || wk_insn_fields_decode(bytes, size, ret);
}
