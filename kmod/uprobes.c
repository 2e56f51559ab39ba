// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registers uprobes and handles their hits; see uprobes.h.
 *
 * The kernel's uprobes write a breakpoint into the text of every process that maps the file, now or
 * later. At a hit the kernel calls the handler in the process's task, on its way back to user mode,
 * with the registers that the process has there. A lock of the kernel's is held meanwhile, which
 * unregistering takes, too (or it waits for handlers, since 6.12). So nobody is in the handler when
 * an uprobe is gone. The handler takes no lock.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/slab.h>

#include "base/lock.h"
#include "compat/uprobe.h"
#include "program-file.h"
#include "uprobes.h"
#include "runtime/plan-rules.h"
#include "splice/entry-close.h"
#include "splice/splice.h"
#include "splice/user-call.h"
#include "timing.h"

/* An uprobe, and the advice calls at it: attachments[first] and those that follow it. */
struct wk_uprobe {
	struct uprobe_consumer consumer;
	struct wk_uprobe_handle handle;
	struct wk_uprobes *owner;
	struct inode *inode;
	loff_t offset; /* bytes from the start of the file */
	u32 first, nr;
};

struct wk_uprobes {
	struct wk_uprobes_of of;
	bool open;  /* advice may run; accessed by WRITE_ONCE() and READ_ONCE() */
	bool timed; /* some of the advice starts later than the weave, or stops */
	struct wk_program *programs; /* by part; those of parts that are no programs are not open */
	struct wk_uprobe *list;
	u32 nr;
	/* in the order of the table of joinpoints; in no splice, and on no list */
	struct wk_attachment *attachments;
	u32 nr_attachments;
};

static const char *program_of(const struct weft_aspect *module, u32 part)
{
	return module->strings + module->parts[part].module;
}

static bool is_wanted(const struct weft_aspect *module, const struct weft_joinpoint *joinpoint)
{
	return wk_program_is(program_of(module, joinpoint->part)) && !joinpoint->refusal;
}

static u32 count_wanted(const struct weft_aspect *module)
{
	u32 n = 0;

	for (u32 i = 0; i < module->header->nr_joinpoints; i++)
		n += is_wanted(module, &module->joinpoints[i]);
	return n;
}

bool wk_uprobes_wanted(const struct weft_aspect *module)
{
	return count_wanted(module);
}

/* ---- a hit ----------------------------------------------------------------------------------- */

static void fill(struct weft_frame *frame, const struct pt_regs *regs)
{
	frame->reg[WR_RAX] = regs->ax;
	frame->reg[WR_RCX] = regs->cx;
	frame->reg[WR_RDX] = regs->dx;
	frame->reg[WR_RBX] = regs->bx;
	frame->reg[WR_RSP] = regs->sp;
	frame->reg[WR_RBP] = regs->bp;
	frame->reg[WR_RSI] = regs->si;
	frame->reg[WR_RDI] = regs->di;
	frame->reg[WR_R8] = regs->r8;
	frame->reg[WR_R9] = regs->r9;
	frame->reg[WR_R10] = regs->r10;
	frame->reg[WR_R11] = regs->r11;
	frame->reg[WR_R12] = regs->r12;
	frame->reg[WR_R13] = regs->r13;
	frame->reg[WR_R14] = regs->r14;
	frame->reg[WR_R15] = regs->r15;
	frame->flags = regs->flags;
}

/*
 * The address of the shadow differs from process to process, so each hit has a struct weft_shadow
 * of its own. Of a program of 32 bits nothing is ever woven: its file is not ELFCLASS64.
 */
static int on_hit WK_UPROBE_HANDLER(consumer, regs)
{
	const struct wk_uprobe *probe = container_of(consumer, struct wk_uprobe, consumer);
	struct wk_uprobes *uprobes = probe->owner;
	struct weft_shadow shadow;
	struct weft_frame frame;

	if (!READ_ONCE(uprobes->open))
		return 0;
	fill(&frame, regs);
	preempt_disable();
	for (u32 i = probe->first; i < probe->first + probe->nr; i++) {
		struct wk_attachment *attachment = &uprobes->attachments[i];

		if (uprobes->timed && wk_timing_waits(uprobes->of.timing,
						      attachment->shadow.joinpoint->advice))
			continue;
		shadow = attachment->shadow;
		shadow.address = instruction_pointer(regs);
		wk_user_call(attachment, &frame, &shadow);
	}
	preempt_enable();
	return 0;
}

/* ---- registering ----------------------------------------------------------------------------- */

/* Returns whether advice at @joinpoint can run in a program: before an instruction. */
static bool can_run(const struct weft_aspect *module, const struct weft_joinpoint *joinpoint)
{
	const struct weft_advice *advice;

	if (joinpoint->advice >= module->header->nr_advices)
		return false;
	advice = &module->advices[joinpoint->advice];
	return !joinpoint->returns && !advice->once &&
	       (joinpoint->when == WEFT_BEFORE || joinpoint->when == WEFT_LEAVING ||
		joinpoint->when == WEFT_RETURNED) &&
	       !(advice->needs & WR_BIT(WR_TARGET));
}

static void make_attachment(const struct wk_uprobes_of *of, u32 index, struct wk_attachment *ret)
{
	const struct weft_joinpoint *joinpoint = &of->module->joinpoints[index];
	const struct weft_advice *advice = &of->module->advices[joinpoint->advice];

	ret->stats = of->module->stats;
	ret->module = of->module;
	ret->fault = of->fault;
	ret->budget = of->budget;
	ret->shadow.joinpoint = joinpoint;
	ret->shadow.index = index;
	ret->advice = (unsigned long)advice->entry;
	if (advice->entry)
		ret->entry = wk_entry_after_endbr(ret->advice);
	else if (advice->count)
		ret->count = (unsigned long)*advice->count;
	ret->needs = advice->needs;
	ret->when = joinpoint->when;
}

static int open_programs(struct wk_uprobes *uprobes)
{
	const struct weft_aspect *module = uprobes->of.module;
	int ret = 0;

	for (u32 i = 1; i < module->header->nr_parts && !ret; i++) {
		const struct weft_text_part *part = &module->parts[i];

		if (wk_program_is(program_of(module, i)))
			ret = wk_program_open(&uprobes->programs[i], program_of(module, i),
					      part->build_id, part->build_id_size);
	}
	return ret;
}

/*
 * Adds the joinpoint: to the uprobe that was made last, if that is at the same instruction, else as
 * a new uprobe. The joinpoints ascend by part and offset.
 */
static int add(struct wk_uprobes *uprobes, u32 index)
{
	const struct weft_joinpoint *joinpoint = &uprobes->of.module->joinpoints[index];
	const struct wk_program *program = &uprobes->programs[joinpoint->part];
	struct wk_uprobe *probe = uprobes->nr ? &uprobes->list[uprobes->nr - 1] : NULL;

	if (!can_run(uprobes->of.module, joinpoint) || joinpoint->text_offset < program->text ||
	    joinpoint->text_offset >= program->text_end)
		return -EINVAL;
	make_attachment(&uprobes->of, index, &uprobes->attachments[uprobes->nr_attachments]);
	if (!probe || probe->inode != program->inode || probe->offset != joinpoint->text_offset) {
		probe = &uprobes->list[uprobes->nr++];
		probe->owner = uprobes;
		probe->inode = program->inode;
		probe->offset = joinpoint->text_offset;
		probe->first = uprobes->nr_attachments;
		probe->consumer.handler = on_hit;
	}
	probe->nr++;
	uprobes->nr_attachments++;
	return 0;
}

static bool has_times(const struct wk_uprobes_of *of)
{
	for (u32 i = 0; i < of->module->header->nr_advices; i++)
		if (of->module->advices[i].start_after || of->module->advices[i].stop_after)
			return true;
	return of->timing->after || of->timing->lasts;
}

static void destroy(struct wk_uprobes *uprobes)
{
	for (u32 i = 0; i < uprobes->nr; i++)
		wk_uprobe_unregister(uprobes->list[i].inode, uprobes->list[i].offset,
				     &uprobes->list[i].consumer, &uprobes->list[i].handle);
	wk_uprobe_wait();
	for (u32 i = 0; uprobes->programs && i < uprobes->of.module->header->nr_parts; i++)
		wk_program_close(&uprobes->programs[i]);
	kvfree(uprobes->programs);
	kvfree(uprobes->list);
	kvfree(uprobes->attachments);
	kfree(uprobes);
}

static int fill_and_register(struct wk_uprobes *uprobes, u32 n)
{
	const struct weft_aspect *module = uprobes->of.module;
	int ret;

	uprobes->programs = kvcalloc(module->header->nr_parts, sizeof(*uprobes->programs),
				     GFP_KERNEL);
	uprobes->list = kvcalloc(n, sizeof(*uprobes->list), GFP_KERNEL);
	uprobes->attachments = kvcalloc(n, sizeof(*uprobes->attachments), GFP_KERNEL);
	if (!uprobes->programs || !uprobes->list || !uprobes->attachments)
		return -ENOMEM;
	ret = open_programs(uprobes);
	for (u32 i = 0; i < module->header->nr_joinpoints && !ret; i++)
		if (is_wanted(module, &module->joinpoints[i]))
			ret = add(uprobes, i);
	for (u32 i = 0; i < uprobes->nr && !ret; i++) {
		struct wk_uprobe *probe = &uprobes->list[i];

		ret = wk_uprobe_register(probe->inode, probe->offset, &probe->consumer,
					 &probe->handle);
		if (ret)
			pr_err("%s: no uprobe at byte 0x%llx of its program: %d\n",
			       module->header->name, probe->offset, ret);
	}
	return ret;
}

int wk_uprobes_begin(const struct wk_uprobes_of *of, struct wk_uprobes **ret)
{
	u32 n = count_wanted(of->module);
	struct wk_uprobes *uprobes;
	int err;

	wk_assert_locked();
	*ret = NULL;
	if (!n)
		return 0;
	uprobes = kzalloc(sizeof(*uprobes), GFP_KERNEL);
	if (!uprobes)
		return -ENOMEM;
	uprobes->of = *of;
	uprobes->timed = has_times(of);
	err = fill_and_register(uprobes, n);
	if (err)
		destroy(uprobes);
	else
		*ret = uprobes;
	return err;
}

void wk_uprobes_open(struct wk_uprobes *uprobes)
{
	wk_assert_locked();
	if (uprobes)
		WRITE_ONCE(uprobes->open, true);
}

u32 wk_uprobes_end(struct wk_uprobes **uprobes)
{
	u32 n = wk_uprobes_count(*uprobes);

	wk_assert_locked();
	if (!*uprobes)
		return 0;
	WRITE_ONCE((*uprobes)->open, false);
	destroy(*uprobes);
	*uprobes = NULL;
	return n;
}

u32 wk_uprobes_count(const struct wk_uprobes *uprobes)
{
	return uprobes ? uprobes->nr_attachments : 0;
}

bool wk_uprobes_has(const struct wk_uprobes *uprobes, u32 joinpoint)
{
	return uprobes && is_wanted(uprobes->of.module, &uprobes->of.module->joinpoints[joinpoint]);
}
