// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A live patch that replaces in4_pton() by a function that counts its calls in the parameter
 * `calls`.
 */
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

static atomic_t calls;
module_param_named(calls, calls.counter, int, 0444);

static int replacement(const char *text, int length, u8 *address, int delimiter, const char **end)
{
	atomic_inc(&calls);
	return 0;
}

static struct klp_func functions[] = {
	{ .old_name = "in4_pton", .new_func = replacement },
	{ }
};

static struct klp_object objects[] = {
	{ .funcs = functions }, /* An object without a name stands for vmlinux. */
	{ }
};

static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objects };

static int __init replaced_init(void)
{
	return klp_enable_patch(&patch);
}

static void __exit replaced_exit(void)
{
}

module_init(replaced_init);
module_exit(replaced_exit);
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
MODULE_DESCRIPTION("a live patch, for a test of weft");
