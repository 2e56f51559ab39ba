// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes kmod/text/insn.c and kmod/text/insn-table.c run in a process, with the kernel's own
 * decoder. This file is compiled with the copies of the decoder's headers that the kernel keeps for
 * its tools. The definitions below replace what these two files include of weft.ko.
 */
#include <linux/types.h>
#include <linux/kernel.h>
#include <asm/insn.h>

#include "runtime/frame.h"

/* runtime/advice.h compiles for kernels only. */
#define WEFT_ADVICE_H

/* Replaces kmod/base/unexported.h: weft.ko finds the decoder by name, but here it is linked in. */
#define WK_UNEXPORTED_H
#define wk_call(name) name
/* Replaces kmod/text/thunk-table.h: here no call leads to a thunk of a running kernel. */
#define WK_THUNK_TABLE_H
static int wk_thunk_register(unsigned long target)
{
	return -1;
}
static bool wk_thunk_for(unsigned long target, unsigned int reg, unsigned long *ret)
{
	return false;
}

#include "kmod/text/insn-table.c"
#include "kmod/text/insn.c"

/* Decodes as weft.ko does. Returns false if weft.ko does not know the instruction. */
bool kernel_fields(const u8 *bytes, unsigned int size, struct wr_fields *ret)
{
	return wk_insn_fields_read(bytes, size, ret);
}

bool same_fields(const struct wr_fields *a, const struct wr_fields *b)
{
	return a->prefixes == b->prefixes && a->length == b->length && a->behavior == b->behavior &&
	       a->encoding == b->encoding && a->map == b->map && a->opcode == b->opcode &&
	       a->rex == b->rex && a->modrm == b->modrm && a->sib == b->sib &&
	       a->modrm_at == b->modrm_at && a->sib_at == b->sib_at &&
	       a->displacement_at == b->displacement_at && a->immediate_at == b->immediate_at &&
	       a->displacement == b->displacement && a->immediate == b->immediate;
}

/*
 * Compares insn-table.c with the kernel's decoder. Returns 1 if both give the same fields, 0 if
 * insn-table.c does not know the instruction, -1 if they differ.
 */
int parts_agree(const u8 *bytes, unsigned int size)
{
	struct wr_fields a, b;

	if (!wk_insn_fields_look_up(bytes, size, &a))
		return 0;
	return wk_insn_fields_decode(bytes, size, &b) && same_fields(&a, &b) ? 1 : -1;
}
