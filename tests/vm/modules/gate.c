// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stops another module while it is loaded or unloaded, from a module notifier, so that a test can
 * look at that moment. The parameter "name" says which module. With "last", the gate's notifier
 * runs after that of weft.ko, if weft.ko was loaded before; otherwise it runs before all other
 * notifiers.
 *
 * Parameters that may be written later: while "coming" (or "going") is Y, the process that loads
 * (or unloads) the module waits here, whatever signals it gets, until N is written. "held" reads as
 * Y while a process waits here. If "refuses" is Y, the module is refused when it is loaded.
 */
#include <linux/delay.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/string.h>

static char *name = "";
module_param(name, charp, 0444);
static bool last;
module_param(last, bool, 0444);
static bool coming, going, refuses, held;
module_param(coming, bool, 0644);
module_param(going, bool, 0644);
module_param(refuses, bool, 0644);
module_param(held, bool, 0444);

static void hold(const bool *closed)
{
	WRITE_ONCE(held, true);
	while (READ_ONCE(*closed))
		msleep(10);
	WRITE_ONCE(held, false);
}

static int on_module(struct notifier_block *block, unsigned long state, void *module_)
{
	const struct module *module = module_;

	if (strcmp(module->name, name))
		return NOTIFY_DONE;
	if (state == MODULE_STATE_COMING)
		hold(&coming);
	if (state == MODULE_STATE_GOING)
		hold(&going);
	return state == MODULE_STATE_COMING && READ_ONCE(refuses) ? notifier_from_errno(-EPERM)
								  : NOTIFY_DONE;
}

static struct notifier_block on_module_block = { .notifier_call = on_module };

static int __init gate_init(void)
{
	on_module_block.priority = last ? INT_MIN : INT_MAX;
	return register_module_notifier(&on_module_block);
}

static void __exit gate_exit(void)
{
	unregister_module_notifier(&on_module_block);
}

module_init(gate_init);
module_exit(gate_exit);
MODULE_LICENSE("GPL");
