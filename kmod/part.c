// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks and reads the table of parts in an aspect's module; see part.h. */
#include <linux/mm.h>

#include "base/unexported.h"
#include "part.h"
#include "program-file.h"
#include "runtime/advice.h"

static bool is_valid(const struct weft_aspect *module, u32 index)
{
	const struct weft_text_part *part = &module->parts[index];

	if (part->module >= module->strings_size || part->section >= module->strings_size ||
	    part->anchor >= module->strings_size ||
	    part->build_id_size > sizeof(part->build_id) || !part->build_id_size)
		return false;
	if (index && wk_program_is(module->strings + part->module))
		return part->size;
	return index ? module->strings[part->module] && module->strings[part->anchor] && part->size
		     : !module->strings[part->module];
}

bool wk_parts_are_valid(const struct weft_aspect *module)
{
	const struct weft_aspect_header *header = module->header;

	for (u32 i = 0; i < header->nr_parts; i++)
		if (!is_valid(module, i))
			return false;
	for (u32 i = 0; i < header->nr_joinpoints; i++) {
		const struct weft_joinpoint *joinpoint = &module->joinpoints[i];

		if (joinpoint->part >= header->nr_parts)
			return false;
		/*
		 * The text of part 0, the kernel, must end before the addresses of modules begin.
		 * Joinpoints in the kernel's init text are not rejected here; they are refused
		 * later.
		 */
		if (joinpoint->text_offset >= (joinpoint->part
						       ? module->parts[joinpoint->part].size
						       : MODULES_VADDR - wk_unexported.text))
			return false;
	}
	return true;
}

struct wk_part *wk_parts_create(const struct weft_aspect *module)
{
	u32 n = module->header->nr_parts;
	struct wk_part *parts = kvcalloc(n, sizeof(*parts), GFP_KERNEL);

	if (!parts)
		return NULL;
	for (u32 i = 0; i < n; i++) {
		parts[i].module = module->parts[i].module;
		parts[i].section = module->parts[i].section;
		parts[i].size = module->parts[i].size;
	}
	parts[0].base = wk_unexported.text;
	parts[0].size = wk_unexported.etext - wk_unexported.text;
	return parts;
}
