// SPDX-License-Identifier: GPL-2.0-or-later
/* The parts of the text that an aspect has joinpoints in; see parts.h. */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "aspect.h"
#include "base/lock.h"
#include "base/unexported.h"
#include "parts.h"
#include "plan.h"
#include "program-file.h"
#include "uprobes.h"
#include "splice/retire.h"
#include "splice/splice.h"
#include "text/module-text.h"

const char *wk_part_module(const struct wk_aspect *aspect, const struct wk_part *part)
{
	return aspect->strings ? aspect->strings + part->module : "";
}

bool wk_part_is_in(const struct wk_aspect *aspect, const struct wk_part *part,
		   const struct module *module)
{
	return !strcmp(wk_part_module(aspect, part), module->name);
}

/* ---- finding the parts in the running kernel ------------------------------------------------- */

static void find_part(const struct wk_aspect *aspect, u32 index)
{
	const struct weft_text_part *part = &aspect->module->parts[index];
	const struct wk_section section = {
		.module = aspect->strings + part->module,
		.anchor = aspect->strings + part->anchor,
		.anchor_offset = part->anchor_offset,
		.size = part->size,
		.build_id = part->build_id,
		.build_id_size = part->build_id_size,
	};
	unsigned long base;

	if (wk_program_is(section.module))
		return;
	base = wk_module_section(&section);
	aspect->parts[index].base = IS_ERR_VALUE(base) ? 0 : base;
	aspect->parts[index].absent = IS_ERR_VALUE(base) ? (int)base : 0;
}

void wk_parts_find(const struct wk_aspect *aspect)
{
	wk_assert_locked();
	for (u32 i = 1; i < aspect->nr_parts; i++)
		if (!aspect->parts[i].departure && !aspect->parts[i].tried)
			find_part(aspect, i);
}

/* ---- the parts of a woven aspect ------------------------------------------------------------- */

int wk_parts_prepare(const struct wk_aspect *aspect, const struct wk_plan *plan)
{
	wk_assert_locked();
	for (u32 i = 0; i < plan->nr; i++) {
		u16 index = aspect->joinpoints[plan->splices[i].joinpoint].part;
		struct wk_part *part = &aspect->parts[index];

		if (index && !part->departure)
			part->departure = wk_retirement_create();
		if (index && !part->departure)
			return -ENOMEM;
	}
	return 0;
}

void wk_parts_end(const struct wk_aspect *aspect)
{
	for (u32 i = 0; i < aspect->nr_parts; i++) {
		struct wk_part *part = &aspect->parts[i];

		wk_retirement_drop(part->departure);
		part->departure = NULL;
		part->left = part->tried = false;
		part->nr_refused = 0;
		part->failed = 0;
	}
}

static bool is_program(const struct wk_aspect *aspect, u32 index)
{
	return wk_program_is(wk_part_module(aspect, &aspect->parts[index]));
}

bool wk_parts_wait(const struct wk_aspect *aspect)
{
	return aspect->state == WEFT_STATE_WOVEN && aspect->weave & WEFT_WEAVE_PENDING;
}

u32 wk_parts_pending(const struct wk_aspect *aspect)
{
	u32 n = 0;

	if (!wk_parts_wait(aspect))
		return 0;
	wk_parts_find(aspect);
	for (u32 i = 1; i < aspect->nr_parts; i++)
		n += aspect->parts[i].absent == -ENOENT && !is_program(aspect, i);
	return n;
}

static enum weft_part_state state_of(const struct wk_aspect *aspect, const struct wk_part *part,
				     u32 splices, int program)
{
	if (splices)
		return WEFT_PART_WOVEN;
	if (part->base)
		return WEFT_PART_LOADED;
	if (wk_program_is(wk_part_module(aspect, part)))
		return program ? WEFT_PART_OTHER : WEFT_PART_LOADED;
	if (part->absent != -ENOENT)
		return WEFT_PART_OTHER;
	if (wk_parts_wait(aspect))
		return WEFT_PART_PENDING;
	return part->left ? WEFT_PART_GONE : WEFT_PART_ABSENT;
}

/* Copies the name of a module. Of a program's path that is too long, "/..." and the end. */
static void copy_name(const char *name, char *to, size_t size)
{
	static const char cut[] = "/...";
	size_t n = strlen(name);

	if (n < size || !wk_program_is(name)) {
		strscpy(to, name, size);
		return;
	}
	strscpy(to, cut, size);
	strscpy(to + strlen(cut), name + n - (size - sizeof(cut)), size - strlen(cut));
}

/* Returns what wk_parts_try_programs() has found out about part @index of @aspect. */
static int program_error(const struct wk_aspect *aspect, const struct wk_tried_programs *tried,
			 u32 index)
{
	return index < tried->nr && tried->content == aspect->content ? tried->all[index].error : 0;
}

int wk_parts_programs(const struct wk_aspect *aspect, struct wk_tried_programs *ret)
{
	u32 n = aspect->uprobes ? 0 : aspect->nr_parts;

	wk_assert_locked();
	ret->all = kvcalloc(n, sizeof(*ret->all), GFP_KERNEL);
	if (!ret->all)
		return -ENOMEM;
	ret->nr = n;
	ret->content = aspect->content;
	for (u32 i = 1; i < n; i++) {
		const struct weft_text_part *part = &aspect->module->parts[i];

		if (!is_program(aspect, i))
			continue;
		ret->all[i].path = kstrdup(wk_part_module(aspect, &aspect->parts[i]), GFP_KERNEL);
		if (!ret->all[i].path)
			return -ENOMEM;
		ret->all[i].build_id_size = part->build_id_size;
		memcpy(ret->all[i].build_id, part->build_id, sizeof(part->build_id));
	}
	return 0;
}

void wk_parts_try_programs(struct wk_tried_programs *programs)
{
	struct wk_program program;

	for (u32 i = 0; i < programs->nr; i++) {
		struct wk_tried_program *tried = &programs->all[i];

		if (!tried->path)
			continue;
		tried->error = wk_program_open(&program, tried->path, tried->build_id,
					       tried->build_id_size);
		wk_program_close(&program);
	}
}

void wk_parts_forget_programs(struct wk_tried_programs *programs)
{
	for (u32 i = 0; i < programs->nr; i++)
		kfree(programs->all[i].path);
	kvfree(programs->all);
}

void wk_parts_status(const struct wk_aspect *aspect, const struct wk_tried_programs *tried,
		     struct weft_part_status *ret, u32 n)
{
	const struct wk_attachment *attachment;

	wk_assert_locked();
	wk_parts_find(aspect);
	memset(ret, 0, n * sizeof(*ret));
	list_for_each_entry(attachment, &aspect->attachments, in_aspect)
		if (attachment->shadow.joinpoint->part < n)
			ret[attachment->shadow.joinpoint->part].nr_splices++;
	for (u32 i = 0; i < aspect->nr_joinpoints; i++)
		if (aspect->joinpoints[i].part < n && wk_uprobes_has(aspect->uprobes, i))
			ret[aspect->joinpoints[i].part].nr_splices++;
	for (u32 i = 0; i < n; i++) {
		const struct wk_part *part = &aspect->parts[i];
		int program = program_error(aspect, tried, i);

		ret[i].base = part->base;
		ret[i].size = part->size;
		ret[i].state = state_of(aspect, part, ret[i].nr_splices, program);
		ret[i].nr_refused = part->nr_refused;
		ret[i].error = program				    ? program
			       : part->absent && part->absent != -ENOENT ? part->absent
								     : part->failed;
		copy_name(wk_part_module(aspect, part), ret[i].module, sizeof(ret[i].module));
		strscpy(ret[i].section, aspect->strings + part->section, sizeof(ret[i].section));
	}
}
