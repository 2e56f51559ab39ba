// SPDX-License-Identifier: GPL-2.0-or-later
/* Does the allocator of memory for code take the kind of code as an argument (6.10)? */
#include <linux/module.h>
#include <linux/execmem.h>

void *execmem(void);

void *execmem(void)
{
	return execmem_alloc(EXECMEM_FTRACE, 4096);
}
