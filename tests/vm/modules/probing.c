// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A module with a kprobe on one of its own instructions. Removing the kprobe is the last thing that
 * its exit function does, so the kernel's kprobe optimizer, which works in the background, still
 * has the kprobe when the module's text goes.
 */
#include <linux/kprobes.h>
#include <linux/module.h>

/* The instruction under the kprobe; the bytes after it leave room for the kprobe's jump. */
extern u8 probing_place[];

noinline void probing_function(void)
{
	asm volatile(".globl probing_place\n"
		     "probing_place:\n\t"
		     ".nops 1\n\t.nops 1\n\t.nops 1\n\t.nops 1\n\t.nops 1\n\t.nops 1");
}

static int on_hit(struct kprobe *probe, struct pt_regs *regs)
{
	return 0;
}

static struct kprobe probe = { .addr = probing_place, .pre_handler = on_hit };

static int __init probing_init(void)
{
	return register_kprobe(&probe);
}

static void __exit probing_exit(void)
{
	unregister_kprobe(&probe);
}

module_init(probing_init);
module_exit(probing_exit);
MODULE_LICENSE("GPL");
