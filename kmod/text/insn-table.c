// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decoded fields; see insn-table.h. For most instructions that compilers generate, the opcode alone
 * determines the instruction and its operands. Mandatory prefixes (SSE) and other encodings (VEX)
 * are left to the kernel's decoder, which executes some 500 instructions for each one it decodes.
 * tests/oracle/agree.c and tests/oracle/x86-sweep.c compare the table with the kernel's decoder on
 * every instruction of a kernel, and on unusual ones.
 */
#include <linux/kernel.h>
#include <asm/insn.h>

#include "text/insn-table.h"
#include "base/unexported.h"

/*
 * The two-byte opcodes (0f xx), indexed by the second byte, for which the table alone decodes the
 * instruction. ALWAYS: no prefix changes the opcode's meaning. WITHOUT: the prefixes 66, f2 and f3
 * may change it, so an instruction with one of them is left to the kernel's decoder. 0: every
 * instruction with this opcode is left to the kernel's decoder.
 */
enum { ALWAYS = 1, WITHOUT = 2 };

static const u8 two_byte[256] = {
	[0x00 ... 0x03] = WITHOUT, [0x06] = WITHOUT,	      [0x08 ... 0x09] = WITHOUT,
	[0x0b] = WITHOUT,	   [0x0d] = WITHOUT,	      [0x18] = WITHOUT,
	[0x1e ... 0x1f] = ALWAYS,  [0x20 ... 0x23] = WITHOUT, [0x30 ... 0x33] = WITHOUT,
	[0x40 ... 0x4f] = WITHOUT, [0x80 ... 0x9f] = WITHOUT, [0xa0 ... 0xa5] = WITHOUT,
	[0xa8 ... 0xa9] = WITHOUT, [0xab ... 0xad] = WITHOUT, [0xaf ... 0xb1] = WITHOUT,
	[0xb3] = WITHOUT,	   [0xb6 ... 0xb7] = WITHOUT, [0xba ... 0xc1] = WITHOUT,
	[0xc7 ... 0xcf] = WITHOUT,
};

static bool is_certain(const struct wr_fields *fields)
{
	const unsigned int own = WR_PREFIX_DATA | WR_PREFIX_REPNE | WR_PREFIX_REP;

	if (fields->encoding != WR_LEGACY || fields->prefixes & WR_PREFIX_EMULATE)
		return false;
	if (fields->map == WR_MAP_ONE_BYTE)
		return true;
	if (fields->map != WR_MAP_0F)
		return false;
	return two_byte[fields->opcode] == ALWAYS ||
	       (two_byte[fields->opcode] == WITHOUT && !(fields->prefixes & own));
}

/*
 * Does the kernel's decoder find an instruction of the same length, and a ModRM byte exactly if
 * @fields has one?
 */
static bool is_confirmed(const u8 *bytes, unsigned int size, const struct wr_fields *fields)
{
	struct insn insn;

	return wk_call(insn_decode)(&insn, bytes, size, INSN_MODE_64) >= 0 &&
	       insn.length == fields->length && !!insn.modrm.nbytes == !!fields->modrm_at;
}

bool wk_insn_fields_look_up(const u8 *bytes, unsigned int size, struct wr_fields *ret)
{
	return wr_fields_read(ret, bytes, size) && is_certain(ret);
}

bool wk_insn_fields_decode(const u8 *bytes, unsigned int size, struct wr_fields *ret)
{
	return wr_fields_read(ret, bytes, size) && is_confirmed(bytes, size, ret);
}

bool wk_insn_fields_read(const u8 *bytes, unsigned int size, struct wr_fields *ret)
{
	return wr_fields_read(ret, bytes, size) &&
	       (is_certain(ret) || is_confirmed(bytes, size, ret));
}
