// SPDX-License-Identifier: GPL-2.0-or-later
/* Looks up thunks; see thunk-table.h. */
#include <linux/cache.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/uaccess.h>

#include "runtime/x86-rules.h"
#include "text/insn-table.h"
#include "text/thunk-table.h"

struct wk_thunk_table wk_thunk_table __ro_after_init;

/*
 * Returns the register through which the thunk at @target in module memory jumps; -1: there is no
 * thunk at @target. A thunk in module memory is one indirect jump.
 */
static int register_in_module(unsigned long target)
{
	struct wr_fields fields;
	u8 bytes[WEFT_INSN_MAX];

	if (target < MODULES_VADDR || target >= MODULES_END - sizeof(bytes) ||
	    copy_from_kernel_nofault(bytes, (void *)target, sizeof(bytes)) ||
	    !wk_insn_fields_read(bytes, sizeof(bytes), &fields) ||
	    fields.behavior != WR_JUMP_INDIRECT || wr_modrm_mod(fields.modrm) != WR_MOD_REGISTER)
		return -1;
	return wr_modrm_rm(fields.modrm) | (fields.rex & WR_REX_B ? 8 : 0);
}

bool wk_is_thunk(unsigned long target)
{
	for (unsigned int i = 0; i < wk_thunk_table.nr; i++)
		if (target >= wk_thunk_table.list[i].start && target < wk_thunk_table.list[i].end)
			return true;
	return register_in_module(target) >= 0;
}

int wk_thunk_register(unsigned long target)
{
	for (unsigned int i = 0; i < wk_thunk_table.nr; i++)
		if (target == wk_thunk_table.list[i].start)
			return wk_thunk_table.list[i].number;
	return register_in_module(target);
}

/*
 * The thunks of one kind that have symbols form an array, in the order of the registers' numbers,
 * so the thunk for another register is found by its distance. Thunks in module memory form no
 * array: each is a plain jump in the upper half of a cache line (ITS).
 */
bool wk_thunk_for(unsigned long target, unsigned int reg, unsigned long *ret)
{
	enum { THUNK_SIZE = 32 };
	const int own = wk_thunk_register(target);

	*ret = 0;
	for (unsigned int i = 0; i < wk_thunk_table.nr; i++) {
		const struct wk_thunk *thunk = &wk_thunk_table.list[i];

		if (thunk->start != target + ((long)reg - own) * THUNK_SIZE || thunk->number != reg)
			continue;
		*ret = thunk->start;
		return own >= 0;
	}
	return own >= 0 && register_in_module(target) == own;
}
