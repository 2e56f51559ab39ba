// SPDX-License-Identifier: GPL-2.0-or-later
/* Does the handler of an uprobe have a third parameter, for data of the hit (6.13)? */
#include <linux/module.h>
#include <linux/uprobes.h>

int uprobe_data(struct uprobe_consumer *consumer, struct pt_regs *regs);

int uprobe_data(struct uprobe_consumer *consumer, struct pt_regs *regs)
{
	return consumer->handler(consumer, regs, NULL);
}
