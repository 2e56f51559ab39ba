// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds once-advice that has run, and has its splices removed; see once.h. */
#include <linux/build_bug.h>
#include <linux/mm.h>
#include <linux/workqueue.h>

#include "base/table-memory.h"
#include "runtime/advice.h"
#include "base/lock.h"
#include "base/once-state.h"
#include "once.h"
#include "timing.h"

enum { LOOK_MS = 100 };

static void look(struct work_struct *work);
static DECLARE_DELAYED_WORK(looking, look);
static LIST_HEAD(woven); /* list of struct wk_once */

static u32 nr_states(const struct wk_once *once)
{
	return once->module->header->nr_joinpoints;
}

static enum weft_once state_of(const struct wk_once *once, u32 joinpoint)
{
	return wk_once_state(&once->states[joinpoint]);
}

static bool has_any(const struct wk_once *once, enum weft_once state)
{
	for (u32 i = 0; i < nr_states(once); i++)
		if (state_of(once, i) == state)
			return true;
	return false;
}

/*
 * Queues the work item, to run in LOOK_MS. It may wait for wk_mutex as long as a whole weave takes,
 * so it is queued on system_long_wq.
 */
static void look_later(void)
{
	queue_delayed_work(system_long_wq, &looking, msecs_to_jiffies(LOOK_MS));
}

/*
 * Returns whether any once-advice that is still WAITING may yet be hit. Advice is not hit after its
 * stop time: from then until the aspect is unwoven, every execution skips it.
 */
static bool may_be_hit(const struct wk_once *once)
{
	for (u32 i = 0; i < nr_states(once); i++)
		if (state_of(once, i) == WEFT_ONCE_WAITING &&
		    !wk_timing_is_over(once->timing, once->module->joinpoints[i].advice))
			return true;
	return false;
}

static void look(struct work_struct *work)
{
	struct wk_once *once;
	bool waits = false, may;

	mutex_lock(&wk_mutex);
	list_for_each_entry(once, &woven, list) {
		/*
		 * may_be_hit() must be called before the states are searched for hits. Then a hit
		 * between the two calls is not lost: may_be_hit() has returned true, so the work
		 * item runs again and finds the hit.
		 */
		may = may_be_hit(once);
		if (has_any(once, WEFT_ONCE_HIT))
			once->hit(once);
		waits |= may || has_any(once, WEFT_ONCE_HIT);
	}
	mutex_unlock(&wk_mutex);
	if (waits)
		look_later();
}

void wk_once_create(struct wk_once *once, const struct weft_aspect *module,
		    const struct wk_timing *timing)
{
	*once = (struct wk_once){ .module = module, .timing = timing };
	INIT_LIST_HEAD(&once->list);
}

void wk_once_forget(struct wk_once *once)
{
	kvfree(once->states);
	once->states = NULL;
}

int wk_once_prepare(const struct wk_once *once, u8 **ret)
{
	bool wanted = false;

	wk_assert_locked();
	*ret = NULL;
	for (u32 i = 0; i < once->module->header->nr_advices; i++)
		wanted |= once->module->advices[i].once;
	if (!wanted)
		return 0;
	BUILD_BUG_ON(WEFT_ONCE_NOT != 0);
	*ret = kvzalloc(nr_states(once), WK_GFP_TABLE);
	return *ret ? 0 : -ENOMEM;
}

void wk_once_more(void)
{
	wk_assert_locked();
	if (!list_empty(&woven))
		look_later();
}

void wk_once_begin(struct wk_once *once, u8 *states, void (*hit)(struct wk_once *once))
{
	wk_assert_locked();
	if (!states)
		return;
	wk_once_forget(once);
	once->states = states;
	once->hit = hit;
	list_add_tail(&once->list, &woven);
	look_later();
}

void wk_once_end(struct wk_once *once)
{
	wk_assert_locked();
	list_del_init(&once->list);
}

void wk_once_deinit(void)
{
	cancel_delayed_work_sync(&looking);
}
