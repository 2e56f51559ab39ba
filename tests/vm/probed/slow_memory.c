// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Gives a process memory whose first access has to wait: a mapping of /dev/slow_memory has no page
 * until the device is written to. It behaves like userfaultfd, or like a file whose server is gone.
 */
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/wait.h>

static DECLARE_WAIT_QUEUE_HEAD(waiting);
static bool released;

static vm_fault_t wait_for_page(struct vm_fault *fault)
{
	if (wait_event_killable(waiting, READ_ONCE(released)))
		return VM_FAULT_RETRY;
	fault->page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	return fault->page ? 0 : VM_FAULT_OOM;
}

static const struct vm_operations_struct memory_operations = { .fault = wait_for_page };

static int map(struct file *file, struct vm_area_struct *area)
{
	area->vm_ops = &memory_operations;
	return 0;
}

static ssize_t release(struct file *file, const char __user *buffer, size_t size, loff_t *offset)
{
	WRITE_ONCE(released, true);
	wake_up_all(&waiting);
	return size;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.mmap = map,
	.write = release,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "slow_memory",
	.mode = 0600,
	.fops = &operations,
};

module_misc_device(device);
MODULE_DESCRIPTION("memory whose pages take their time");
MODULE_LICENSE("GPL");
