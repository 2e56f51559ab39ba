// SPDX-License-Identifier: GPL-2.0-or-later
/* Is each kind of a module's memory described separately, in module->mem[] (6.4)? */
#include <linux/module.h>

void *module_memory(struct module *module);

void *module_memory(struct module *module)
{
	return module->mem[MOD_TEXT].base + module->mem[MOD_RODATA].size;
}
