// SPDX-License-Identifier: GPL-2.0-or-later
/* Frees splices and trampolines that no task can be in any more; see retire.h. */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "splice/donor.h"
#include "splice/retire.h"
#include "splice/poke.h"
#include "splice/splice.h"
#include "splice/write.h"
#include "base/lock.h"

enum { RETRY_MS = 500, REST_MS = 1000, HELD_MS = 100 };

static void leave_slot(struct wk_splice *splice)
{
	if (splice->state == WK_STATE_BLOCKED_SLOT)
		wk_splice_become(splice, WK_STATE_OUT);
}

static void block_slot(struct wk_splice *splice, struct list_head *slots)
{
	list_move_tail(&splice->plan, slots);
	if (splice->state == WK_STATE_BLOCKED_SLOT)
		return;
	wk_splice_become(splice, WK_STATE_BLOCKED_SLOT);
	pr_warn("a foreign int3 is over the slot at %pS: the slot is freed when the int3 is "
		"removed\n",
		(void *)splice->slot.address);
}

/*
 * Restores the slots of springboards. No task can be on the jumps in these slots any more. A slot
 * that is not as weft wrote it, or that a kprobe sits on, is kept, and so is the trampoline that
 * its jump leads to. Donors that nothing else keeps in the text are put on the list of blocked
 * splices, to be disarmed.
 */
static void vacate_slots(struct wk_retirement *retirement)
{
	struct wk_splice *splice, *next, *donor;
	bool any = false;

	wk_write_begin(0, 0, 0);
	list_for_each_entry_safe(splice, next, &retirement->splices, plan) {
		cond_resched();
		if (splice->donor) {
			donor = wk_donor_untie(splice);
			if (donor)
				list_add_tail(&donor->plan, &retirement->blocked);
		}
		if (!splice->slot.address)
			continue;
		any = true;
		if (wk_poke_vacate(splice))
			leave_slot(splice);
		else
			block_slot(splice, &retirement->slots);
	}
	if (any)
		wk_poke_finish();
	wk_write_end();
}

static void free_all(struct wk_retirement *retirement)
{
	struct wk_trampoline *trampoline, *next_trampoline;
	struct wk_splice *splice, *next_splice;

	list_for_each_entry_safe(splice, next_splice, &retirement->splices, plan) {
		list_del(&splice->plan);
		wk_trampoline_destroy(splice->trampoline);
		wk_splice_destroy(splice);
		cond_resched();
	}
	list_for_each_entry_safe(trampoline, next_trampoline, &retirement->trampolines, retired) {
		list_del(&trampoline->retired);
		wk_trampoline_destroy(trampoline);
		cond_resched();
	}
}

static void free_attachments(struct wk_retirement *retirement)
{
	struct wk_attachments *attachments, *next;

	list_for_each_entry_safe(attachments, next, &retirement->attachments, list) {
		list_del(&attachments->list);
		wk_attachments_destroy(attachments);
	}
}

/*
 * Returns whether the attachments must be kept because of around-advice. They must while a task is
 * inside the advice (->held()), and for one more grace period: when nobody is inside any more, the
 * last task may still be on its way out of the module's text.
 */
static bool is_held(struct wk_retirement *retirement)
{
	if (!retirement->held || retirement->left)
		return false;
	retirement->left = !retirement->held(retirement);
	return true;
}

/*
 * Takes those blocked splices out of the text that are no longer blocked. They then need grace
 * periods of their own, since tasks may still be in their trampolines. The same holds for blocked
 * splices that have become OUT meanwhile because their module was unloaded.
 */
static void try_blocked(struct wk_retirement *retirement)
{
	struct wk_splice *splice, *next;
	LIST_HEAD(out);

	list_for_each_entry_safe(splice, next, &retirement->blocked, plan)
		if (splice->state == WK_STATE_OUT)
			list_move_tail(&splice->plan, &out);
	if (list_empty(&retirement->blocked)) {
		list_splice(&out, &retirement->splices);
		return;
	}
	list_splice_init(&retirement->blocked, &retirement->splices);
	wk_write_begin(0, 0, 0);
	wk_poke_disarm(&retirement->splices, &retirement->blocked);
	wk_write_end();
	list_for_each_entry(splice, &retirement->splices, plan)
		wk_splice_remove(splice);
	list_splice(&out, &retirement->splices);
}

/*
 * Returns whether the retirement has to wait for anything else. Puts the splices of which only the
 * slot is still in the text back on ->splices.
 */
static bool goes_on(struct wk_retirement *retirement)
{
	list_splice_init(&retirement->slots, &retirement->splices);
	return !list_empty(&retirement->splices) || !list_empty(&retirement->blocked);
}

/*
 * Moves the splices that are left to a retirement of their own. They are donors whose springboards
 * are gone; they were taken out of the text just now, and tasks may still be in their trampolines.
 * These trampolines contain no advice, so this retirement can end without waiting for them. The new
 * one delays nothing but the freeing of memory, so it may share a later grace period. Unloading
 * weft.ko waits for all retirements.
 */
static void part_from_rest(struct wk_retirement *retirement)
{
	struct wk_retirement *rest;
	struct wk_splice *splice;

	if (list_empty(&retirement->splices))
		return;
	/* A springboard that was blocked until now is out of the text, but its slot is not. */
	list_for_each_entry(splice, &retirement->splices, plan)
		if (splice->slot.address)
			return;
	rest = kmalloc(sizeof(*rest), GFP_KERNEL);
	if (!rest)
		return;
	wk_retirement_init(rest, NULL);
	list_splice_init(&retirement->splices, &rest->splices);
	wk_grace_wait_later(&rest->waiter, REST_MS);
}

/*
 * Called after the grace periods of a retirement, when no task is in its trampolines or on the
 * jumps in its slots. Frees what it can, and waits again for the rest; if nothing is left, ends the
 * retirement.
 */
static void retire(struct wk_waiter *waiter)
{
	struct wk_retirement *retirement = container_of(waiter, struct wk_retirement, waiter);
	bool blocked, held = is_held(retirement);

	wk_assert_locked();
	vacate_slots(retirement);
	free_all(retirement);
	if (!held)
		free_attachments(retirement);
	try_blocked(retirement);
	blocked = !list_empty(&retirement->blocked) || !list_empty(&retirement->slots);
	if (retirement->ended && !blocked && !held)
		part_from_rest(retirement);
	if (goes_on(retirement) || held) {
		if (blocked)
			wk_grace_wait_later(waiter, RETRY_MS);
		else if (held && !retirement->left)
			wk_grace_wait_later(waiter, HELD_MS);
		else
			wk_grace_wait(waiter);
	} else if (retirement->ended) {
		retirement->ended(retirement);
	} else {
		kfree(retirement);
	}
}

void wk_retirement_init(struct wk_retirement *retirement,
			void (*ended)(struct wk_retirement *retirement))
{
	wk_waiter_init(&retirement->waiter, retire);
	INIT_LIST_HEAD(&retirement->trampolines);
	INIT_LIST_HEAD(&retirement->splices);
	INIT_LIST_HEAD(&retirement->blocked);
	INIT_LIST_HEAD(&retirement->slots);
	INIT_LIST_HEAD(&retirement->attachments);
	retirement->ended = ended;
	retirement->held = NULL;
	retirement->left = false;
}

static void let_go(struct wk_retirement *retirement)
{
	wk_retirement_drop(retirement);
}

struct wk_retirement *wk_retirement_create(void)
{
	struct wk_retirement *retirement = kzalloc(sizeof(*retirement), GFP_KERNEL);

	if (!retirement)
		return NULL;
	wk_retirement_init(retirement, let_go);
	__module_get(THIS_MODULE);
	return retirement;
}

void wk_retirement_drop(struct wk_retirement *retirement)
{
	if (!retirement)
		return;
	kfree(retirement);
	module_put(THIS_MODULE);
}

void wk_retirement_start(struct wk_retirement *retirement)
{
	wk_assert_locked();
	wk_grace_wait(&retirement->waiter);
}
