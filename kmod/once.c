// SPDX-License-Identifier: GPL-2.0-or-later
/* Looking for advice that has run and is to run no more; see once.h. */
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "aspect.h"
#include "once.h"
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

static void look(struct work_struct *work)
{
	struct wk_aspect *aspect;
	bool waits = false;

	mutex_lock(&wk_mutex);
	for (unsigned int i = 0; (aspect = wk_aspect_at(i)); i++) {
		if (!aspect->once || aspect->state != WEFT_STATE_WOVEN)
			continue;
		if (has_any(aspect, WEFT_ONCE_HIT))
			wk_unweave_hit(aspect);
		waits |= has_any(aspect, WEFT_ONCE_WAITING) || has_any(aspect, WEFT_ONCE_HIT);
	}
	mutex_unlock(&wk_mutex);
	if (waits)
		look_later();
}

int wk_once_prepare(struct wk_aspect *aspect)
{
	bool wanted = false;

	for (u32 i = 0; i < aspect->module->header->nr_advices; i++)
		wanted |= aspect->module->advices[i].once;
	if (!wanted)
		return 0;
	if (!aspect->once)
		aspect->once = kvzalloc(aspect->nr_joinpoints, GFP_KERNEL);
	if (!aspect->once)
		return -ENOMEM;
	memset(aspect->once, WEFT_ONCE_NOT, aspect->nr_joinpoints);
	return 0;
}

void wk_once_watch(const struct wk_aspect *aspect)
{
	if (aspect->once)
		look_later();
}

void wk_once_deinit(void)
{
	cancel_delayed_work_sync(&looking);
}
