// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The int3 handler. The entry code calls it directly if that could be hooked (int3-hook.c);
 * otherwise it is called as a die notifier. Either way it runs with interrupts off. So
 * text_poke_sync(), which interrupts every CPU and waits for them, also waits until every CPU has
 * left the handler. A splice that was taken out of the table before may then be freed.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/compiler.h>
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/ptrace.h>
#include <asm/text-patching.h>

#include "splice/entry-close.h"
#include "splice/int3-hook.h"
#include "splice/splice.h"
#include "splice/trap.h"

enum { INT3_SIZE = 1 };

struct hlist_head wk_entries; /* entry-close.h; defined in this file, which reads it */

static bool hook = true;
module_param(hook, bool, 0444);
MODULE_PARM_DESC(hook, "claim int3s in the entry code; reads N where only the notifier does (Y)");

/* Claims an int3 that closes an entry of advice (entry-close.h). */
static noinline notrace bool claim_entry(struct pt_regs *regs)
{
	const struct wk_entry *closed = wk_entry_closed(regs->ip - INT3_SIZE);

	if (!closed)
		return false;
	if (closed->around)
		int3_emulate_jmp(regs, READ_ONCE(closed->around->original));
	else
		int3_emulate_ret(regs);
	return true;
}
NOKPROBE_SYMBOL(claim_entry);

/* An int3 of a program is at an address of user space, where no splice and no entry is. */
static bool notrace claim(struct pt_regs *regs)
{
	const struct wk_splice *splice = wk_splice_find(regs->ip - INT3_SIZE);

	if (unlikely(!splice))
		return claim_entry(regs);
	/* The int3 is weft's only while owns_int3 is set; otherwise it is a kprobe's. */
	if (unlikely(!READ_ONCE(splice->owns_int3)))
		return false;
	/* The trampoline of a call takes the return address from the stack. */
	if (splice->kind == WEFT_SPLICE_CALL)
		int3_emulate_push(regs, regs->ip - INT3_SIZE + CALL_INSN_SIZE);
	int3_emulate_jmp(regs, READ_ONCE(splice->target));
	return true;
}
NOKPROBE_SYMBOL(claim);

static int on_die(struct notifier_block *block, unsigned long event, void *data)
{
	struct die_args *args = data;

	return event == DIE_INT3 && claim(args->regs) ? NOTIFY_STOP : NOTIFY_DONE;
}
NOKPROBE_SYMBOL(on_die);

static struct notifier_block on_die_block = {
	.notifier_call = on_die,
	.priority = INT_MAX, /* before any notifier that treats an unknown int3 as a crash */
};

bool wk_trap_is_hooked(void)
{
	return hook;
}

int wk_trap_init(void)
{
	int ret = hook ? wk_int3_hook_init(claim) : -ENOTSUPP;

	if (!ret)
		return 0;
	if (hook)
		pr_info("no int3 hook (%d): int3s go through the die notifiers\n", ret);
	hook = false;
	return register_die_notifier(&on_die_block);
}

void wk_trap_deinit(void)
{
	if (hook)
		wk_int3_hook_deinit();
	else
		unregister_die_notifier(&on_die_block);
}
