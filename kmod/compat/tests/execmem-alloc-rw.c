// SPDX-License-Identifier: GPL-2.0-or-later
/* Is there an allocator of memory for code that is writable at first (6.17)? */
#include <linux/module.h>
#include <linux/execmem.h>

void *execmem_alloc_rw_(void);

void *execmem_alloc_rw_(void)
{
	return execmem_alloc_rw(EXECMEM_FTRACE, 4096);
}
