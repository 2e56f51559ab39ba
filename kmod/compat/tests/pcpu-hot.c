// SPDX-License-Identifier: GPL-2.0-or-later
/* Is the preemption count in struct pcpu_hot (6.2 to 6.14)? */
#include <linux/module.h>
#include <asm/current.h>

unsigned long pcpu_hot_(void);

unsigned long pcpu_hot_(void)
{
	return (unsigned long)&pcpu_hot.preempt_count;
}
