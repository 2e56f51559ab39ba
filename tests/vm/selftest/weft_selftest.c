// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The smallest module that prints when it is loaded and unloaded. The guest must be able to load
 * it.
 */
#include <linux/module.h>

static int __init selftest_init(void)
{
	pr_info("weft_selftest: here\n");
	return 0;
}

static void __exit selftest_exit(void)
{
	pr_info("weft_selftest: gone\n");
}

module_init(selftest_init);
module_exit(selftest_exit);
MODULE_DESCRIPTION("weft VM harness self-test");
MODULE_LICENSE("GPL");
