// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module that tests weave: functions of many shapes. A write of "N" to /dev/shapes runs all but
 * shapes_early() in the writer, twice for each of the numbers 1 to N, and fails with EIO if the
 * second time computes something else than the first. The parameter `runs` shows how often they
 * ran, `early` how often shapes_early() did. The init function calls that one EARLY times.
 */
#include <linux/atomic.h>
#include <linux/fs.h>
#include <linux/jump_label.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/msr.h>

enum { EARLY = 7, DEEP = 5 };

static atomic_long_t runs, early;

static int get_runs(char *buffer, const struct kernel_param *param)
{
	return sysfs_emit(buffer, "%ld\n", atomic_long_read(param->arg));
}

static const struct kernel_param_ops runs_ops = { .get = get_runs };
module_param_cb(runs, &runs_ops, &runs, 0444);
module_param_cb(early, &runs_ops, &early, 0444);

static bool fails;
module_param(fails, bool, 0444);
MODULE_PARM_DESC(fails, "the init function fails at its end");
static bool used;
module_param(used, bool, 0444);
MODULE_PARM_DESC(used, "it is in use for ever: only rmmod -f takes it away");

noinline unsigned long shapes_early(unsigned long x)
{
	atomic_long_inc(&early);
	return x * 3 + 1;
}

noinline unsigned long shapes_sum(const u8 *bytes, unsigned long n)
{
	unsigned long sum = 0;

	for (unsigned long i = 0; i < n; i++)
		sum = sum * 31 + bytes[i];
	return sum;
}

noinline unsigned long shapes_switch(unsigned long x)
{
	switch (x % 7) {
	case 0:
		return x + 11;
	case 1:
		return x ^ 0x5555;
	case 2:
		return x * x;
	case 3:
		return ~x;
	case 4:
		return x >> 3;
	case 5:
		return x << 5;
	default:
		return x - 1;
	}
}

noinline unsigned long shapes_recursive(unsigned long x, unsigned int deep)
{
	return deep ? shapes_recursive(x + deep, deep - 1) * 2 + 1 : x;
}

noinline unsigned long shapes_tail(unsigned long x)
{
	return shapes_switch(x + 2);
}

static atomic_t locked;
static DEFINE_SPINLOCK(lock);

noinline unsigned long shapes_locked(unsigned long x)
{
	spin_lock(&lock);
	x += atomic_inc_return(&locked);
	x -= atomic_read(&locked);
	spin_unlock(&lock);
	return x;
}

static DEFINE_STATIC_KEY_FALSE(off);
static DEFINE_STATIC_KEY_TRUE(on);

/* Computes the same whatever the static keys are, since they may change at any time. */
noinline unsigned long shapes_labels(unsigned long x)
{
	if (static_branch_unlikely(&off)) {
		x += 1000;
		OPTIMIZER_HIDE_VAR(x);
		x -= 1000;
	}
	if (static_branch_likely(&on)) {
		x ^= 0x77;
	} else {
		x ^= 0x70;
		OPTIMIZER_HIDE_VAR(x);
		x ^= 0x07;
	}
	return x;
}

noinline unsigned long shapes_again(unsigned long x)
{
	OPTIMIZER_HIDE_VAR(x);
	return shapes_switch(x);
}

DEFINE_STATIC_CALL(shapes_callee, shapes_switch);

/*
 * A write to the parameter `flip` makes the kernel rewrite all jump labels and static calls of this
 * module.
 */
static int set_flipped(const char *text, const struct kernel_param *param)
{
	static bool flipped;

	flipped = !flipped;
	if (flipped) {
		static_branch_enable(&off);
		static_branch_disable(&on);
	} else {
		static_branch_disable(&off);
		static_branch_enable(&on);
	}
	static_call_update(shapes_callee, flipped ? shapes_again : shapes_switch);
	return 0;
}

static const struct kernel_param_ops flip_ops = { .set = set_flipped };
module_param_cb(flip, &flip_ops, NULL, 0200);

noinline unsigned long shapes_static_call(unsigned long x)
{
	return static_call(shapes_callee)(x) + 1;
}

noinline unsigned long shapes_cold(unsigned long x)
{
	if (WARN_ON_ONCE(!x))
		return 1;
	if (unlikely(x == 12345678))
		pr_info("an unlikely value\n");
	return x + 5;
}

noinline long shapes_user(const char __user *user)
{
	u32 low, high;
	char byte;

	/* This call makes an entry in the module's exception table. */
	if (rdmsr_safe(MSR_EFER, &low, &high))
		return -EIO;
	return get_user(byte, user) ? -EFAULT : byte;
}

noinline unsigned long shapes_called(unsigned long x, unsigned long (*f)(unsigned long))
{
	return f(x) + f(x + 1);
}

noinline unsigned long shapes_allocates(unsigned long x)
{
	u8 *bytes = kmalloc(64, GFP_KERNEL);
	unsigned long sum;

	if (!bytes)
		return 0;
	memset(bytes, (int)x, 64);
	sum = shapes_sum(bytes, 64);
	kfree(bytes);
	return sum;
}

static unsigned long run(unsigned long x)
{
	x = shapes_sum((u8 *)&x, sizeof(x));
	x = shapes_switch(x);
	x = shapes_recursive(x, DEEP);
	x = shapes_tail(x);
	x = shapes_locked(x);
	x = shapes_labels(x);
	x = shapes_static_call(x);
	x = shapes_cold(x | 1);
	x = shapes_called(x, shapes_switch);
	return shapes_allocates(x);
}

/*
 * Computes each number twice: both results must be the same, even if the text changes in between.
 */
static ssize_t shapes_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	unsigned long n;
	int ret = kstrtoul_from_user(user, size, 0, &n);

	if (ret)
		return ret;
	for (unsigned long i = 1; i <= n; i++) {
		unsigned long first = run(i), second = run(i);

		atomic_long_add(2, &runs);
		if (first != second || shapes_user(user) < 0)
			return -EIO;
		cond_resched();
	}
	return size;
}

static const struct file_operations operations = { .owner = THIS_MODULE, .write = shapes_write };
static struct miscdevice device = { .minor = MISC_DYNAMIC_MINOR,
				    .name = "shapes",
				    .fops = &operations };

static int __init shapes_init(void)
{
	unsigned long x = 1;

	for (unsigned int i = 0; i < EARLY; i++)
		x = shapes_early(x);
	if (used)
		__module_get(THIS_MODULE);
	return fails ? -ENODEV : misc_register(&device);
}

static void __exit shapes_exit(void)
{
	misc_deregister(&device);
	shapes_early(1);
}

module_init(shapes_init);
module_exit(shapes_exit);
#ifdef OTHER_BUILD
MODULE_INFO(build, "other");
#endif
MODULE_LICENSE("GPL");
