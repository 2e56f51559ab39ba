// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sets a kprobe on the function of a module that the parameter `on` names, `offset` bytes after its
 * entry. tracefs cannot set one on advice, since advice has no ftrace entry. With `returns` it is a
 * kretprobe. With `stepped` the instruction under it is single-stepped. With `skips`, which is for
 * entries, the function returns 0 and does nothing; with `skips_ms` only for that time after the
 * first hit. `armed` switches it on and off. `bytes` shows the text there, `seen` how often it was
 * hit or the function has returned.
 */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>

static char *on = "";
module_param(on, charp, 0444);
static unsigned int offset;
module_param(offset, uint, 0444);
static bool returns, stepped, skips;
module_param(returns, bool, 0444);
module_param(stepped, bool, 0444);
module_param(skips, bool, 0444);
static unsigned int skips_ms;
module_param(skips_ms, uint, 0444);

static atomic_t seen;

/* Runs in place of the probed function, and returns to the function's caller. */
static notrace int nothing(void)
{
	return 0;
}

/* Returns whether the time in which the function is skipped is over. */
static bool is_over(void)
{
	static atomic64_t first;
	s64 now = ktime_get_mono_fast_ns();

	if (!skips_ms)
		return false;
	atomic64_cmpxchg(&first, 0, now);
	return now > atomic64_read(&first) + skips_ms * NSEC_PER_MSEC;
}

static int count_entry(struct kprobe *probe, struct pt_regs *regs)
{
	atomic_inc(&seen);
	if (!skips || is_over())
		return 0;
	regs->ip = (unsigned long)nothing;
	return 1; /* tells the kernel that this handler has set regs->ip */
}

/*
 * A post handler that does nothing: with a post handler, the kernel has to single-step the probed
 * instruction.
 */
static void after_step(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

static int count_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	atomic_inc(&seen);
	return 0;
}

/* How many calls at a time the kretprobe can follow until they return. */
enum { ACTIVE_MAX = 512 };

static struct kprobe at_entry = { .pre_handler = count_entry };
static struct kretprobe at_return = { .handler = count_return, .maxactive = ACTIVE_MAX };

static struct kprobe *probe(void)
{
	return returns ? &at_return.kp : &at_entry;
}

static int set_armed(const char *value, const struct kernel_param *param)
{
	if (returns)
		return *value == '1' ? enable_kretprobe(&at_return) : disable_kretprobe(&at_return);
	return *value == '1' ? enable_kprobe(&at_entry) : disable_kprobe(&at_entry);
}

static const struct kernel_param_ops armed_ops = { .set = set_armed };
module_param_cb(armed, &armed_ops, NULL, 0200);

static int show_bytes(char *text, const struct kernel_param *param)
{
	return sprintf(text, "%*ph\n", 16, probe()->addr);
}

static const struct kernel_param_ops bytes_ops = { .get = show_bytes };
module_param_cb(bytes, &bytes_ops, NULL, 0444);

static int show_seen(char *text, const struct kernel_param *param)
{
	return sprintf(text, "%d\n", atomic_read(&seen));
}

static const struct kernel_param_ops seen_ops = { .get = show_seen };
module_param_cb(seen, &seen_ops, NULL, 0444);

static int __init on_advice_init(void)
{
	probe()->symbol_name = on;
	probe()->offset = offset;
	if (stepped || skips) /* with it, a kprobe on ftrace's site may set regs->ip */
		probe()->post_handler = after_step;
	return returns ? register_kretprobe(&at_return) : register_kprobe(&at_entry);
}

static void __exit on_advice_exit(void)
{
	if (returns)
		unregister_kretprobe(&at_return);
	else
		unregister_kprobe(&at_entry);
}

module_init(on_advice_init);
module_exit(on_advice_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a kprobe on advice, for a test of weft");
