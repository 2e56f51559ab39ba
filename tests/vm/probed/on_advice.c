// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kprobe on the function of a module that the parameter `on` names: tracefs sets none on advice,
 * since ftrace knows no entry of it. `armed` switches it on and off. `bytes` shows the text there.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>

static char *on = "";
module_param(on, charp, 0444);

static int ignore(struct kprobe *probe, struct pt_regs *regs)
{
	return 0;
}

static struct kprobe probe = { .pre_handler = ignore };

static int set_armed(const char *value, const struct kernel_param *param)
{
	return *value == '1' ? enable_kprobe(&probe) : disable_kprobe(&probe);
}

static const struct kernel_param_ops armed_ops = { .set = set_armed };
module_param_cb(armed, &armed_ops, NULL, 0200);

static int show_bytes(char *text, const struct kernel_param *param)
{
	return sprintf(text, "%*ph\n", 16, probe.addr);
}

static const struct kernel_param_ops bytes_ops = { .get = show_bytes };
module_param_cb(bytes, &bytes_ops, NULL, 0444);

static int __init on_advice_init(void)
{
	probe.symbol_name = on;
	return register_kprobe(&probe);
}

static void __exit on_advice_exit(void)
{
	unregister_kprobe(&probe);
}

module_init(on_advice_init);
module_exit(on_advice_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a kprobe on advice, for a test of weft");
