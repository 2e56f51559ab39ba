// SPDX-License-Identifier: GPL-2.0-or-later
/* Looking for advice that has run and is to run no more; see once.h. */
#include <linux/build_bug.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "aspect.h"
#include "once.h"
#include "timing.h"
#include "weave.h"

enum { LOOK_MS = 100 };

static void look(struct work_struct *work);
static DECLARE_DELAYED_WORK(looking, look);

static bool has_any(const struct wk_aspect *aspect, enum weft_once state)
{
	return memchr(aspect->once, state, aspect->nr_joinpoints);
}

/* A whole weave may hold the lock: the queue is the one for work that takes long. */
static void look_later(void)
{
	queue_delayed_work(system_long_wq, &looking, msecs_to_jiffies(LOOK_MS));
}

/* Can any of the advice that waits still run? What is over is jumped over, and goes with the aspect. */
static bool may_be_hit(const struct wk_aspect *aspect)
{
	for (u32 i = 0; i < aspect->nr_joinpoints; i++)
		if (aspect->once[i] == WEFT_ONCE_WAITING &&
		    !wk_timing_is_over(aspect, aspect->module->joinpoints[i].advice))
			return true;
	return false;
}

static void look(struct work_struct *work)
{
	struct wk_aspect *aspect;
	bool waits = false, may;

	mutex_lock(&wk_mutex);
	for (unsigned int i = 0; (aspect = wk_aspect_at(i)); i++) {
		if (!aspect->once || aspect->state != WEFT_STATE_WOVEN)
			continue;
		/* Asked before the look at what was hit, so that there is one behind the end. */
		may = may_be_hit(aspect);
		if (has_any(aspect, WEFT_ONCE_HIT))
			wk_unweave_hit(aspect);
		waits |= may || has_any(aspect, WEFT_ONCE_HIT);
	}
	mutex_unlock(&wk_mutex);
	if (waits)
		look_later();
}

int wk_once_prepare(const struct wk_aspect *aspect, u8 **ret)
{
	bool wanted = false;

	*ret = NULL;
	for (u32 i = 0; i < aspect->module->header->nr_advices; i++)
		wanted |= aspect->module->advices[i].once;
	if (!wanted)
		return 0;
	BUILD_BUG_ON(WEFT_ONCE_NOT != 0);
	*ret = kvzalloc(aspect->nr_joinpoints, GFP_KERNEL);
	return *ret ? 0 : -ENOMEM;
}

void wk_once_begin(struct wk_aspect *aspect, u8 *states)
{
	if (!states)
		return;
	kvfree(aspect->once);
	aspect->once = states;
	look_later();
}

void wk_once_deinit(void)
{
	cancel_delayed_work_sync(&looking);
}
