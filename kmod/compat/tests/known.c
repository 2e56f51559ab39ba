// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Must compile in every kernel: it needs nothing but that the headers are found and the flags are
 * right. See README.md.
 */
#include <linux/hrtimer.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <asm/text-patching.h>

void known(void);

void known(void)
{
	kallsyms_lookup_name("known");
}
