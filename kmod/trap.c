// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The int3 notifier. It runs like an NMI (irqentry_nmi_enter), with interrupts off: which is why
 * text_poke_sync(), an interrupt on every CPU, waits for every CPU that is in here, and why a
 * splice may be freed after one.
 */
#include <linux/compiler.h>
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>

#include "splice.h"
#include "trap.h"

enum { INT3_SIZE = 1 };

static int on_die(struct notifier_block *block, unsigned long event, void *data)
{
	struct die_args *args = data;
	struct wk_splice *splice;

	if (event != DIE_INT3 || user_mode(args->regs))
		return NOTIFY_DONE;
	splice = wk_splice_find(args->regs->ip - INT3_SIZE);
	/* A call's patch expects a return address; only a foreign int3 can come here for one. */
	if (!splice || splice->kind == WEFT_SPLICE_CALL)
		return NOTIFY_DONE;
	args->regs->ip = READ_ONCE(splice->target);
	return NOTIFY_STOP;
}
NOKPROBE_SYMBOL(on_die);

static struct notifier_block on_die_block = {
	.notifier_call = on_die,
	.priority = INT_MAX, /* before anybody who would take an unknown int3 for a crash */
};

int wk_trap_init(void)
{
	return register_die_notifier(&on_die_block);
}

void wk_trap_deinit(void)
{
	unregister_die_notifier(&on_die_block);
}
