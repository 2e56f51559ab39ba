// SPDX-License-Identifier: GPL-2.0-or-later
/* Looks up addresses in the tables of an aspect's module; see module-tables.h. */
#include <linux/kernel.h>

#include "base/unexported.h"
#include "runtime/advice.h"
#include "splice/module-tables.h"

/*
 * Returns the live address of one function of the module. The first element of the table of lines
 * (struct weft_line) has the offset of the same function in .text.
 */
static unsigned long first_function(const struct weft_aspect *module)
{
	for (u32 i = 0; i < module->header->nr_advices; i++)
		if (module->advices[i].entry)
			return (unsigned long)module->advices[i].entry;
	if (module->nr_arounds)
		return module->arounds[0].entry;
	return module->start ? (unsigned long)module->start : (unsigned long)module->end;
}

/*
 * Searches the table of lines, which is sorted by code offset. Code outside .text (the module's
 * init and exit functions) counts as code of the last element, which marks where the author's code
 * ends.
 */
u32 wk_module_line(const struct weft_aspect *module, unsigned long address)
{
	const struct weft_line *lines = module->lines + 1;
	unsigned long offset = address - first_function(module) + module->lines->offset;
	u32 least = 0, end = module->lines->line;

	while (least < end) {
		u32 middle = least + (end - least) / 2;

		if (lines[middle].offset <= offset)
			least = middle + 1;
		else
			end = middle;
	}
	return least ? lines[least - 1].line : 0;
}

bool wk_module_is_leavable(const struct weft_aspect *module, unsigned long address)
{
	const struct weft_leavable *first = module->leavable + 1;
	unsigned long offset = address - wk_unexported.text;

	for (u32 i = 0; i < module->leavable->size; i++)
		if (offset - first[i].offset < first[i].size)
			return true;
	return false;
}
