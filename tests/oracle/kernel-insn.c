// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kmod/text/insn.c and parts.c in a process, with the kernel's own decoder: compiled against the
 * copies of its headers that the kernel keeps for its tools. Of what weft.ko has around it, this
 * much is needed.
 */
#include <linux/types.h>
#include <linux/kernel.h>
#include <asm/insn.h>

#include "runtime/frame.h"

/* In place of runtime/advice.h, which is for kernels. */
#define WEFT_ADVICE_H
enum wr_target_kind { WR_TARGET_NONE, WR_TARGET_FIXED, WR_TARGET_REGISTER, WR_TARGET_MEMORY };
struct wr_target {
	u8 kind, base, index, scale;
	long value;
};

/* In place of kmod/base/unexported.h: what is looked up in a kernel is linked in here. */
#define WK_UNEXPORTED_H
#define wk_call(name) name
/* In place of kmod/text/thunk-table.h: what is decoded here leads to no thunk of a kernel. */
#define WK_THUNK_TABLE_H
static int wk_thunk_register(unsigned long target)
{
	return -1;
}

#include "kmod/text/insn-table.c"
#include "kmod/text/insn.c"

/* What weft.ko makes of it. False: it does not know it. */
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
 * 1: the tables say of what stands there what the decoder says; 0: they do not know it; -1: they
 * say something else.
 */
int parts_agree(const u8 *bytes, unsigned int size)
{
	struct wr_fields a, b;

	if (!wk_insn_fields_look_up(bytes, size, &a))
		return 0;
	return wk_insn_fields_decode(bytes, size, &b) && same_fields(&a, &b) ? 1 : -1;
}
