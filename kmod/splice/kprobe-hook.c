// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decides what kprobes may do in woven functions; see kprobe-hook.h.
 *
 * Why the functions below need look at the table of splices only once: the kernel calls both hooked
 * functions with kprobe_mutex and text_mutex held. A weave holds these locks, too, while it
 * verifies that no kprobe is in its way and writes its bytes (weave.c). So either the kprobe sees
 * all that the weave has done, or the weave sees the kprobe:
 *
 * - The kprobe comes first. The weave refuses displaced ranges that overlap the kprobe, or the jump
 *   that the kprobe may get now or later. When the kprobe was judged, the branches that the weave
 *   now displaces were still in the text, and the kernel saw them; in a trampoline they lead to the
 *   same addresses.
 * - The weave comes first. The functions below judge the kprobe.
 * - The kprobe comes after the unweave. A task may still be in a trampoline, before a branch that
 *   leads into the kprobe's jump. The kernel writes that jump only after an RCU tasks grace period,
 *   which waits for such tasks (kernel/kprobes.c, kprobe_optimizer()).
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
 * Returns whether the instruction at @address is displaced, so that a kprobe there would miss
 * executions. The first byte of a splice that is a jump does not count: a kprobe's int3 replaces
 * that byte of the jump, and every execution meets it.
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
 * Returns whether the function that holds @address has a splice. It may return true also if the
 * splice is not in the text yet, or not any more. That does little harm: the kprobe is then not
 * optimized, and so is slower than it could be.
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
	    !wk_entry_closed((unsigned long)probe->addr))
		return;
	atomic64_inc(&refused);
	pr_notice_ratelimited("no kprobe at %pS: that instruction is displaced while it is woven\n",
			      probe->addr);
	regs->ip = (unsigned long)displaced;
}

/*
 * Returns whether @address is in an aspect's module. Kprobes there must not be optimized. An
 * optimized kprobe runs instructions in a buffer elsewhere, from which the unwinder cannot unwind;
 * and when advice faults, the unwinder must find the way to its caller (leave.c).
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
