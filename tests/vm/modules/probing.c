// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A module that has a kprobe on one of its own instructions. The last thing that its exit function
 * does is to remove the kprobe. The kernel's optimizer, which works in the background, still has
 * that kprobe then.
 */
#include <linux/kprobes.h>
#include <linux/module.h>

/* The instruction that the kprobe is on; the bytes after it leave room for the kprobe's jump. */
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
