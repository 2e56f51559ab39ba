// SPDX-License-Identifier: GPL-2.0-or-later
/* Must compile: headers that every kernel has, and the flags. See README.md. */
#include <linux/hrtimer.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <asm/text-patching.h>

void known(void);

void known(void)
{
	kallsyms_lookup_name("known");
}
