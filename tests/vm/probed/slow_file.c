// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A file system "slow_file" with one file, `program`, which cannot be opened until the module's
 * parameter `released` is set. It behaves like a file whose server is gone.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/wait.h>

static DECLARE_WAIT_QUEUE_HEAD(waiting);
static bool released;

static int set_released(const char *text, const struct kernel_param *param)
{
	int ret = param_set_bool(text, param);

	wake_up_all(&waiting);
	return ret;
}

static const struct kernel_param_ops released_ops = { .set = set_released, .get = param_get_bool };
module_param_cb(released, &released_ops, &released, 0644);
MODULE_PARM_DESC(released, "the file can be opened (N)");

static int wait_to_open(struct inode *inode, struct file *file)
{
	return wait_event_killable(waiting, READ_ONCE(released));
}

static ssize_t read_nothing(struct kiocb *iocb, struct iov_iter *to)
{
	return 0;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = wait_to_open,
	.read_iter = read_nothing,
};

static int fill(struct super_block *super, void *data, int silent)
{
	enum { FIRST = 2, MAGIC = 0x736c6f77 };
	static const struct tree_descr files[] = {
		[FIRST] = { "program", &operations, 0444 },
		{ "" },
	};

	return simple_fill_super(super, MAGIC, files);
}

static struct dentry *mount(struct file_system_type *type, int flags, const char *name, void *data)
{
	return mount_nodev(type, flags, data, fill);
}

static struct file_system_type slow_file = {
	.owner = THIS_MODULE,
	.name = "slow_file",
	.mount = mount,
	.kill_sb = kill_litter_super,
};

static int __init slow_file_init(void)
{
	return register_filesystem(&slow_file);
}

static void __exit slow_file_exit(void)
{
	unregister_filesystem(&slow_file);
}

module_init(slow_file_init);
module_exit(slow_file_exit);
MODULE_DESCRIPTION("a file that takes its time to be opened");
MODULE_LICENSE("GPL");
