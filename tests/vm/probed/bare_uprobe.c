// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An uprobe whose handler only counts: the least that a hit can cost, for
 * tests/vm/cases/processes_cost.sh. Parameters: the file, the place in it; and hits, to be read.
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/uprobes.h>

static char *path;
module_param(path, charp, 0444);
static ulong offset;
module_param(offset, ulong, 0444);
static ulong hits;
module_param(hits, ulong, 0444);

static struct file *file;
/* the file's inode; if the file is in an overlay, that of the file in the layer below */
static struct inode *inode;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs)
{
	hits++;
	return 0;
}

static struct uprobe_consumer consumer = { .handler = on_hit };

static int __init bare_init(void)
{
	int ret;

	file = filp_open(path, O_RDONLY, 0);
	if (IS_ERR(file))
		return PTR_ERR(file);
	inode = d_real_inode(file->f_path.dentry);
	ret = uprobe_register(inode, offset, &consumer);
	if (ret)
		fput(file);
	return ret;
}

static void __exit bare_exit(void)
{
	uprobe_unregister(inode, offset, &consumer);
	fput(file);
}

module_init(bare_init);
module_exit(bare_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("an uprobe whose handler only counts");
