// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes an aspect's splices out of the text; see weave.h. The top of weave.c lists the steps. */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "aspect.h"
#include "base/lock.h"
#include "base/once-state.h"
#include "runtime/plan-rules.h"
#include "splice/optimize.h"
#include "splice/poke.h"
#include "splice/retire.h"
#include "splice/splice.h"
#include "splice/write.h"
#include "weave.h"

/*
 * Removes each attachment from its splice. Moves the splice to @gone if it is not needed in the
 * text any more (wk_splice_is_idle()). Otherwise the splice's trampoline stays in use; so a jump
 * over the attachment's code (struct wk_block) is written into the trampoline.
 */
static void withdraw(struct list_head *attachments, struct list_head *gone)
{
	struct wk_attachment *attachment;

	list_for_each_entry(attachment, attachments, in_aspect) {
		list_del(&attachment->in_splice);
		if (wk_splice_is_idle(attachment->splice)) {
			wk_optimizing_forget(attachment->splice);
			list_add_tail(&attachment->splice->plan, gone);
		} else {
			wk_poke_skip(attachment);
		}
		cond_resched();
	}
}

/* Makes trampolines skip the advice of splices that are blocked, and so stay in the text. */
static void skip_blocked(const struct wk_aspect *aspect, struct list_head *attachments)
{
	struct wk_attachment *attachment;

	list_for_each_entry(attachment, attachments, in_aspect) {
		cond_resched();
		if (!wk_state_is_blocked(attachment->splice->state))
			continue;
		pr_warn("%s: a foreign int3 is over the splice at %pS: it stays, without advice, "
			"until the int3 is removed\n",
			aspect->name, (void *)attachment->splice->address);
		wk_poke_skip(attachment);
	}
	wk_poke_finish();
}

/* Takes the locks for writing. @attachments ascend by address, and may be empty. */
static void begin_writing(const struct list_head *attachments)
{
	const struct wk_splice *first, *last;
	unsigned int n = 0;
	struct wk_attachment *attachment;

	list_for_each_entry(attachment, attachments, in_aspect)
		n++;
	if (!n) {
		wk_write_begin(0, 0, 0);
		return;
	}
	first = list_first_entry(attachments, struct wk_attachment, in_aspect)->splice;
	last = list_last_entry(attachments, struct wk_attachment, in_aspect)->splice;
	wk_write_begin(first->address, last->address + last->length, n);
}

/*
 * Removes @attachments of @aspect from the text, and adds the splices that are unused then to
 * @retirement. Returns the number of splices whose original bytes are restored.
 */
static u32 take_out(const struct wk_aspect *aspect, struct list_head *attachments,
		    struct wk_retirement *retirement)
{
	struct wk_attachment *attachment;
	struct wk_splice *splice;
	u32 restored;

	begin_writing(attachments);
	withdraw(attachments, &retirement->splices);
	restored = wk_poke_disarm(&retirement->splices, &retirement->blocked);
	skip_blocked(aspect, attachments);
	wk_write_end();
	list_for_each_entry(attachment, attachments, in_aspect)
		wk_splice_lead_out(attachment);

	list_for_each_entry(splice, &retirement->splices, plan) {
		wk_splice_remove(splice);
		cond_resched();
	}
	return restored;
}

u32 wk_unweave(struct wk_aspect *aspect, void (*ended)(struct wk_retirement *retirement))
{
	struct wk_retirement *retirement = &aspect->retirement;
	u32 restored;

	wk_assert_locked();
	wk_retirement_init(retirement, ended);
	restored = take_out(aspect, &aspect->attachments, retirement);
	INIT_LIST_HEAD(&aspect->attachments);
	list_splice_init(&aspect->arrays, &retirement->attachments);
	aspect->nr_attachments = 0;
	wk_retirement_start(retirement);
	return restored;
}

/*
 * Returns whether @attachment is not needed any more, because its advice runs only once and has
 * run. Makes such advice WEFT_ONCE_OUT. If @attachment only notes calls for the advice of another
 * joinpoint, returns whether that advice has run.
 */
static bool has_run(const struct wk_aspect *aspect, const struct wk_attachment *attachment)
{
	const struct weft_aspect *module = aspect->module;
	const u32 n = module->header->nr_joinpoints;
	u32 other;

	if (attachment->when != WEFT_CALLING)
		return wk_once_retire(attachment->shadow.once);
	other = wr_plan_partner(module->joinpoints, n,
				attachment->shadow.joinpoint - module->joinpoints);
	return other < n && wk_once_state(&aspect->once.states[other]) >= WEFT_ONCE_HIT;
}

/*
 * Takes advice that runs only once, and has run, out of the text. Its attachments stay in the
 * aspect's array of attachments, which is freed when the aspect itself is unwoven. That is not too
 * early: the retirement of the whole aspect, which also drops the reference to the module, begins
 * later than the one that is started here, so a task that is in one of the trampolines now has left
 * it by then. If a splice is blocked, it stays in the text, and its trampoline skips these
 * attachments.
 */
void wk_unweave_hit(struct wk_aspect *aspect)
{
	struct wk_retirement *retirement = wk_retirement_create();
	struct wk_attachment *attachment, *next;
	LIST_HEAD(hit);

	wk_assert_locked();
	if (!retirement)
		return;
	list_for_each_entry_safe(attachment, next, &aspect->attachments, in_aspect) {
		if (!has_run(aspect, attachment))
			continue;
		list_move_tail(&attachment->in_aspect, &hit);
		aspect->nr_attachments--;
		cond_resched();
	}
	take_out(aspect, &hit, retirement);
	wk_retirement_start(retirement);
}
