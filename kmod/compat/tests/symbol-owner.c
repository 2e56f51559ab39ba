// SPDX-License-Identifier: GPL-2.0-or-later
/* Does kallsyms_on_each_symbol() pass a module to its callback (before 6.4)? */
#include <linux/module.h>
#include <linux/kallsyms.h>

int symbol_owner(int (*visit)(void *data, const char *name, struct module *module,
			      unsigned long address));

int symbol_owner(int (*visit)(void *data, const char *name, struct module *module,
			      unsigned long address))
{
	return kallsyms_on_each_symbol(visit, NULL);
}
