// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The way from an int3 to weft.ko's code, instead of kmod/splice/int3-hook.c: the SIGTRAP handler
 * acts as the kernel's entry code, and calls claim() in kmod/splice/trap.c.
 */
#include "kernel-shim/int3-hook.h"
#include "kernel-shim/text.h"
#include "splice/int3-hook.h"

static bool (*claims)(struct pt_regs *regs);

int wk_int3_hook_init(bool (*claim)(struct pt_regs *regs))
{
	claims = claim;
	return 0;
}

void wk_int3_hook_deinit(void)
{
	text_poke_sync();
	claims = NULL;
}

bool shim_int3(ucontext_t *context)
{
	greg_t *registers = context->uc_mcontext.gregs;
	struct pt_regs regs = { .ip = registers[REG_RIP], .sp = registers[REG_RSP] };

	if (!shim_poke_int3(&regs) && !(claims && claims(&regs)))
		return false;
	registers[REG_RIP] = regs.ip;
	registers[REG_RSP] = regs.sp;
	return true;
}
