// SPDX-License-Identifier: GPL-2.0-or-later
/* Freeing what nobody can reach, once nobody can still be in it; see retire.h. */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/module.h>
#include <linux/slab.h>

#include "aspect.h"
#include "retire.h"
#include "poke.h"
#include "splice.h"
#include "symbols.h"

enum { RETRY_MS = 500 };

/* Nobody can be on their jumps any more. */
static void vacate_slots(struct wk_retirement *retirement)
{
	struct wk_splice *splice, *next;
	bool any = false;

	mutex_lock(wk_symbols.kprobe_mutex);
	mutex_lock(wk_symbols.text_mutex);
	list_for_each_entry_safe(splice, next, &retirement->splices, plan) {
		if (!splice->slot.address)
			continue;
		any = true;
		if (wk_poke_vacate(splice))
			continue;
		pr_warn("somebody wrote over the slot at %pS: it stays as it is, with what it leads to\n",
			(void *)splice->slot.address);
		list_del(&splice->plan);
	}
	if (any)
		wk_poke_finish();
	mutex_unlock(wk_symbols.text_mutex);
	mutex_unlock(wk_symbols.kprobe_mutex);
}

static void free_all(struct wk_retirement *retirement)
{
	struct wk_patch *patch, *next_patch;
	struct wk_splice *splice, *next_splice;
	struct wk_use *use, *next_use;

	list_for_each_entry_safe(use, next_use, &retirement->uses, in_aspect) {
		list_del(&use->in_aspect);
		kfree(use);
	}
	list_for_each_entry_safe(splice, next_splice, &retirement->splices, plan) {
		list_del(&splice->plan);
		wk_patch_destroy(splice->patch);
		wk_splice_destroy(splice);
	}
	list_for_each_entry_safe(patch, next_patch, &retirement->patches, retired) {
		list_del(&patch->retired);
		wk_patch_destroy(patch);
	}
}

/* Those that are out now need a grace period like all before them. Returns whether there is anything left to wait for. */
static bool try_stuck(struct wk_retirement *retirement)
{
	struct wk_splice *splice;

	if (list_empty(&retirement->stuck))
		return false;
	list_splice_init(&retirement->stuck, &retirement->splices);
	mutex_lock(wk_symbols.kprobe_mutex);
	mutex_lock(wk_symbols.text_mutex);
	wk_poke_disarm(&retirement->splices, &retirement->stuck);
	mutex_unlock(wk_symbols.text_mutex);
	mutex_unlock(wk_symbols.kprobe_mutex);
	list_for_each_entry(splice, &retirement->splices, plan)
		wk_splice_remove(splice);
	return true;
}

/* Everybody has left. */
static void retire(struct wk_waiter *waiter)
{
	struct wk_retirement *retirement = container_of(waiter, struct wk_retirement, waiter);
	struct wk_aspect *aspect = retirement->aspect;

	vacate_slots(retirement);
	free_all(retirement);
	if (try_stuck(retirement)) {
		wk_grace_wait_later(waiter, RETRY_MS);
	} else if (aspect) {
		wk_aspect_end(aspect);
		aspect->state = WEFT_STATE_LOADED;
		module_put(aspect->module->module);
	} else {
		kfree(retirement);
	}
}

void wk_retirement_init(struct wk_retirement *retirement, struct wk_aspect *aspect)
{
	wk_waiter_init(&retirement->waiter, retire);
	INIT_LIST_HEAD(&retirement->patches);
	INIT_LIST_HEAD(&retirement->splices);
	INIT_LIST_HEAD(&retirement->stuck);
	INIT_LIST_HEAD(&retirement->uses);
	retirement->aspect = aspect;
}

void wk_retirement_start(struct wk_retirement *retirement)
{
	wk_grace_wait(&retirement->waiter);
}
