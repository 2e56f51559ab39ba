// SPDX-License-Identifier: GPL-2.0-or-later
/* Does uprobe_register() return a struct uprobe, by which the uprobe is unregistered (6.12)? */
#include <linux/module.h>
#include <linux/uprobes.h>

struct uprobe *uprobe_handle(struct inode *inode, struct uprobe_consumer *consumer);

struct uprobe *uprobe_handle(struct inode *inode, struct uprobe_consumer *consumer)
{
	return uprobe_register(inode, 0, 0, consumer);
}
