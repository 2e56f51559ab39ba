// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Turning traps into jumps; see optimize.h. Who may be in the middle of a window? Whoever may still be in a patch that is to be freed:
 * grace.c waits for them. Nobody comes in meanwhile: the first byte traps, and there is no other way in (single-entry.c). Should the
 * grace periods never end, the splices stay traps, and everything else goes on.
 */
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "splice/poke.h"
#include "splice/optimize.h"
#include "splice/splice.h"
#include "splice/write.h"

/*
 * The kernel rests for 0.1 s behind each tasks grace period before it begins another. So the first does not come at once: what is
 * unwoven within that time, or woven, shares it, instead of having to wait for one more.
 */
enum { BEGIN_MS = 100, RETRY_MS = 250, RETRY_MOST_MS = 16000 };

/* One that somebody else has written into, or put a kprobe on, stays a trap until that is gone; so does a bounce whose host does. */
static bool may_settle(const struct wk_splice *splice)
{
	return wk_poke_is_ours(splice) && !(splice->host && splice->host->trapping);
}

static void settle_those(struct wk_settling *settling, bool hosted)
{
	struct wk_splice *splice, *next;
	LIST_HEAD(ours);

	list_for_each_entry_safe(splice, next, &settling->splices, settle) {
		if (!splice->host == hosted || !may_settle(splice))
			continue;
		list_del_init(&splice->settle);
		list_add_tail(&splice->plan, &ours);
	}
	wk_poke_settle(&ours);
	list_for_each_entry_safe(splice, next, &ours, plan)
		list_del_init(&splice->plan);
}

static void begin_writing(const struct list_head *splices)
{
	unsigned long first = 0, end = 0;
	const struct wk_splice *splice;
	unsigned int n = 0;

	list_for_each_entry(splice, splices, settle) {
		first = n++ ? min(first, splice->address) : splice->address;
		end = max(end, splice->address + splice->length);
	}
	wk_write_begin(first, end, n);
}

static void settle(struct wk_waiter *waiter)
{
	struct wk_settling *settling = container_of(waiter, struct wk_settling, waiter);

	if (list_empty(&settling->splices)) {
		kfree(settling);
		return;
	}
	begin_writing(&settling->splices);
	/* With a host come the slots in it, which bounces are then sent to. */
	settle_those(settling, false);
	settle_those(settling, true);
	wk_write_end();
	if (list_empty(&settling->splices)) {
		kfree(settling);
		return;
	}
	wk_grace_wait_later(waiter, settling->delay);
	settling->delay = min_t(unsigned int, 2 * settling->delay, RETRY_MOST_MS);
}

struct wk_settling *wk_settling_create(void)
{
	struct wk_settling *settling = kzalloc(sizeof(*settling), GFP_KERNEL);

	if (!settling)
		return NULL;
	wk_waiter_init(&settling->waiter, settle);
	INIT_LIST_HEAD(&settling->splices);
	settling->delay = RETRY_MS;
	return settling;
}

void wk_settling_add(struct wk_settling *settling, struct wk_splice *splice)
{
	list_add_tail(&splice->settle, &settling->splices);
}

void wk_settle_forget(struct wk_splice *splice)
{
	list_del_init(&splice->settle);
}

void wk_settling_start(struct wk_settling *settling, bool urgent)
{
	if (list_empty(&settling->splices))
		kfree(settling);
	else if (urgent)
		wk_grace_wait(&settling->waiter);
	else
		wk_grace_wait_later(&settling->waiter, BEGIN_MS);
}
