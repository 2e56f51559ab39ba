// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls in4_pton() with interrupts off in two processes on two CPUs that wait for each other, so
 * that advice in it can keep both CPUs. A process that writes "first" to /dev/locked waits for
 * another writer and then calls in4_pton() with a lock held. The other writer waits for that lock
 * ("second"), or calls in4_pton() without it ("beside").
 */
#include <linux/fs.h>
#include <linux/inet.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/uaccess.h>

static DEFINE_RAW_SPINLOCK(lock);
/* Set while the other writer is there and waits for "first" to take the lock. */
static int waiting;
/* How many writers of "first" have taken the lock so far. */
static int begun;

static void call(void)
{
	u8 address[4];

	in4_pton("x", 1, address, 0, NULL);
}

static void call_locked(bool first)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	if (first)
		WRITE_ONCE(begun, begun + 1);
	call();
	raw_spin_unlock_irqrestore(&lock, flags);
}

static void call_beside(void)
{
	unsigned long flags;

	local_irq_save(flags);
	call();
	local_irq_restore(flags);
}

/* Waits until *@value is no longer @before. Returns -EINTR at a signal. */
static int await(const int *value, int before)
{
	while (READ_ONCE(*value) == before) {
		if (signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

static int run_first(void)
{
	int ret = await(&waiting, 0);

	if (!ret)
		call_locked(true);
	return ret;
}

static int run_other(bool beside)
{
	int before = READ_ONCE(begun), ret;

	WRITE_ONCE(waiting, 1);
	ret = await(&begun, before);
	WRITE_ONCE(waiting, 0);
	if (!ret && beside)
		call_beside();
	else if (!ret)
		call_locked(false);
	return ret;
}

static ssize_t run(struct file *file, const char __user *buffer, size_t size, loff_t *offset)
{
	char text[16] = "";
	int ret;

	if (size >= sizeof(text) || copy_from_user(text, buffer, size))
		return -EFAULT;
	ret = sysfs_streq(text, "first") ? run_first() : run_other(sysfs_streq(text, "beside"));
	return ret ?: size;
}

static const struct file_operations operations = { .owner = THIS_MODULE, .write = run };

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "locked",
	.fops = &operations,
};

module_misc_device(device);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a function that is called under a lock, for a test of weft");
