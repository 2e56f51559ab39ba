// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decides what kprobes may do in woven functions; see kprobe-hook.h.
 *
 * Why one look at the table of splices is enough: kprobes call both hooked functions with
 * kprobe_mutex and text_mutex held. A weave holds these locks, too, while it verifies that no
 * kprobe is in its way and writes its bytes (weave.c). So the kprobe sees all that the weave has
 * done, or the reverse:
 *
 *  - The kprobe comes first. The weave refuses displaced ranges that overlap the kprobe, or the
 *    jump that the kprobe may get now or later. Branches in other displaced ranges of the function
 *    lead where they led when the kprobe was judged.
 *  - The weave comes first. The kprobe is judged by the functions below.
 *  - The kprobe comes after the unweave. A task may still be in a trampoline, before a branch that
 *    leads into the kprobe's jump. The kernel writes that jump only after an RCU tasks grace
 *    period, which waits for such tasks (kernel/kprobes.c, kprobe_optimizer()).
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>

#include "base/unexported.h"
#include "splice/entry-close.h"
#include "splice/ftrace-hook.h"
#include "splice/kprobe-hook.h"
#include "splice/splice.h"
#include "text/module-text.h"

static atomic64_t refused, unoptimized;

struct wk_kprobe_counts wk_kprobe_hook_counts(void)
{
	return (struct wk_kprobe_counts){ .refused = atomic64_read(&refused),
					  .unoptimized = atomic64_read(&unoptimized) };
}

#if IS_ENABLED(CONFIG_KPROBES) && IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS)

/* ---- functions that replace those of the kernel ---------------------------------------------- */

static notrace int displaced(struct kprobe *probe)
{
	return -EBUSY;
}

static notrace int not_optimized(struct optimized_kprobe *probe, struct kprobe *unused)
{
	return -EILSEQ; /* what the replaced function returns if a branch leads into the jump */
}

/* ---- hooks, which decide whether a replacement is called ------------------------------------- */

/*
 * Is the instruction at @address displaced, so that a kprobe there would miss executions? Not at
 * the first byte of a splice that is a jump: the kprobe's int3 replaces that byte and is always
 * hit.
 */
static bool is_displaced(unsigned long address)
{
	const struct wk_splice *splice;
	bool is;

	rcu_read_lock(); /* a weave that fails frees its splices after a grace period */
	splice = wk_splice_covering(address);
	is = splice && wk_splice_in_text(splice) &&
	     (address != splice->address || wk_state_is_trap(splice->state));
	rcu_read_unlock();
	return is;
}

/*
 * Does the function at @address hold a splice? True also if the splice is not in the text yet, or
 * not any more: then the kprobe only becomes slower.
 */
static bool is_in_woven_function(unsigned long address)
{
	unsigned long size, offset;

	return !wk_call(kallsyms_lookup_size_offset)(address, &size, &offset) ||
	       !wk_splice_none(address - offset, size);
}

static void notrace on_prepare(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	const struct kprobe *probe = (const void *)regs->di;

	if (!is_displaced((unsigned long)probe->addr) &&
	    !wk_entry_is_closed((unsigned long)probe->addr))
		return;
	atomic64_inc(&refused);
	pr_notice_ratelimited("no kprobe at %pS: that instruction is displaced while it is woven\n",
			      probe->addr);
	regs->ip = (unsigned long)displaced;
}

/*
 * Is @address in an aspect's module? Kprobes there are not optimized, since an optimized kprobe
 * runs instructions elsewhere, and the unwinder, by which advice that faults is left (leave.c),
 * cannot unwind from there.
 */
static bool is_in_aspect(unsigned long address)
{
	const struct module *module;

	preempt_disable(); /* for the lookup; the kprobe holds the module */
	module = wk_call(module_text_address)(address);
	preempt_enable();
	return module && wk_module_is_ours(module);
}

static void notrace on_optimize(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	const struct optimized_kprobe *probe = (const void *)regs->di;

	if (!is_in_woven_function((unsigned long)probe->kp.addr) &&
	    !is_in_aspect((unsigned long)probe->kp.addr))
		return;
	atomic64_inc(&unoptimized);
	regs->ip = (unsigned long)not_optimized;
}

static struct wk_ftrace_hook hooks[] = {
	WK_FTRACE_HOOK("arch_prepare_kprobe", on_prepare),
	WK_FTRACE_HOOK("arch_prepare_optimized_kprobe", on_optimize),
};

static int hook_function(struct wk_ftrace_hook *hook)
{
	int ret = wk_ftrace_hook(hook);

	/* A kernel without optimized kprobes does not have the second function. */
	if (ret == -ENOENT)
		return 0;
	if (ret)
		pr_err("%s() cannot be hooked by ftrace (%d), so kprobes would not be safe in "
		       "woven functions\n",
		       hook->function, ret);
	return ret;
}

int wk_kprobe_hook_init(void)
{
	int ret = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(hooks) && !ret; i++)
		ret = hook_function(&hooks[i]);
	if (ret)
		wk_kprobe_hook_deinit();
	return ret;
}

void wk_kprobe_hook_deinit(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(hooks); i++)
		wk_ftrace_unhook(&hooks[i]);
}

#else

int wk_kprobe_hook_init(void)
{
	if (!IS_ENABLED(CONFIG_KPROBES))
		return 0;
	pr_err("this kernel has kprobes, but no CONFIG_DYNAMIC_FTRACE_WITH_REGS, by which weft "
	       "would keep them safe in woven functions\n");
	return -ENOTSUPP;
}

void wk_kprobe_hook_deinit(void)
{
}

#endif
