// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls in4_pton() when much of the stack is used up, for tests of the stack limit of advice. A
 * write of "BYTES CONTEXT N" to /dev/deep uses BYTES of stack and calls it N times, in the writer's
 * task (0), in a softirq (1) or in an interrupt (2), on the writer's CPU.
 */
#include <linux/fs.h>
#include <linux/inet.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/uaccess.h>

enum { STEP = 256 };

static long bytes;

/* The array is used after the call, which therefore cannot become a tail call. */
static noinline int use_up(long left)
{
	volatile char used[STEP];
	u8 address[4];
	int ret;

	used[0] = 1;
	if (left > STEP)
		ret = use_up(left - STEP);
	else
		ret = in4_pton("x", 1, address, 0, NULL);
	return ret + used[0];
}

static void on_softirq(struct tasklet_struct *tasklet)
{
	use_up(bytes);
}
static DECLARE_TASKLET(tasklet, on_softirq);

static void on_interrupt(struct irq_work *work)
{
	use_up(bytes);
}
static struct irq_work interrupt = IRQ_WORK_INIT_HARD(on_interrupt);

static void run_once(int context)
{
	switch (context) {
	case 0:
		use_up(bytes);
		break;
	case 1:
		tasklet_schedule(&tasklet);
		tasklet_unlock_wait(&tasklet);
		while (test_bit(TASKLET_STATE_SCHED, &tasklet.state))
			cond_resched();
		break;
	case 2:
		irq_work_queue(&interrupt);
		irq_work_sync(&interrupt);
		break;
	}
}

static ssize_t run(struct file *file, const char __user *buffer, size_t size, loff_t *offset)
{
	char text[64] = "";
	int context, n;

	if (size >= sizeof(text) || copy_from_user(text, buffer, size) ||
	    sscanf(text, "%ld %d %d", &bytes, &context, &n) != 3)
		return -EINVAL;
	while (n--)
		run_once(context);
	return size;
}

static const struct file_operations operations = { .owner = THIS_MODULE, .write = run };

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "deep",
	.fops = &operations,
};

static int __init deep_init(void)
{
	return misc_register(&device);
}

static void __exit deep_exit(void)
{
	misc_deregister(&device);
	tasklet_kill(&tasklet);
	irq_work_sync(&interrupt);
}

module_init(deep_init);
module_exit(deep_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a function deep in the stack, for a test of weft");
