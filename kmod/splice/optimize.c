// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Turns traps into jumps; see optimize.h. A jump may be written only when no task is in the middle
 * of the displaced range. grace.c waits for that, as it does before trampolines are freed. No task
 * enters the range meanwhile: its first byte traps, and there is no other way in (single-entry.c).
 * If a grace period never ends, the splices stay traps, which work as well.
 */
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "splice/poke.h"
#include "splice/optimize.h"
#include "splice/splice.h"
#include "splice/write.h"
#include "base/lock.h"

/*
 * After each grace period of RCU tasks the kernel pauses for 0.1 s before it begins the next. So
 * the wait starts after BEGIN_MS: all weaves and unweaves within that time share one grace period.
 */
enum { BEGIN_MS = 100, RETRY_MS = 250, RETRY_MOST_MS = 16000 };

/*
 * Returns whether the jump of @splice may be written now. It may not while another owner's bytes or
 * a kprobe are over the splice, or while the splice's donor is still a trap.
 */
static bool may_optimize(const struct wk_splice *splice)
{
	return wk_poke_is_ours(splice) &&
	       !(splice->donor && wk_state_is_trap(splice->donor->state));
}

static void optimize_those(struct wk_optimizing *optimizing, bool in_donor)
{
	struct wk_splice *splice, *next;
	LIST_HEAD(ours);

	list_for_each_entry_safe(splice, next, &optimizing->splices, optimize) {
		cond_resched();
		if (!splice->donor == in_donor || !may_optimize(splice))
			continue;
		list_del_init(&splice->optimize);
		list_add_tail(&splice->plan, &ours);
	}
	wk_poke_optimize(&ours);
	list_for_each_entry_safe(splice, next, &ours, plan)
		list_del_init(&splice->plan);
}

static void begin_writing(const struct list_head *splices)
{
	unsigned long first = 0, end = 0;
	const struct wk_splice *splice;
	unsigned int n = 0;

	list_for_each_entry(splice, splices, optimize) {
		first = n++ ? min(first, splice->address) : splice->address;
		end = max(end, splice->address + splice->length);
	}
	wk_write_begin(first, end, n);
}

static void optimize(struct wk_waiter *waiter)
{
	struct wk_optimizing *optimizing = container_of(waiter, struct wk_optimizing, waiter);

	if (list_empty(&optimizing->splices)) {
		kfree(optimizing);
		return;
	}
	begin_writing(&optimizing->splices);
	/* Donors first: they write the slots that the springboards' short jumps then lead to. */
	optimize_those(optimizing, false);
	optimize_those(optimizing, true);
	wk_write_end();
	if (list_empty(&optimizing->splices)) {
		kfree(optimizing);
		return;
	}
	wk_grace_wait_later(waiter, optimizing->delay);
	optimizing->delay = min_t(unsigned int, 2 * optimizing->delay, RETRY_MOST_MS);
}

struct wk_optimizing *wk_optimizing_create(void)
{
	struct wk_optimizing *optimizing = kzalloc(sizeof(*optimizing), GFP_KERNEL);

	if (!optimizing)
		return NULL;
	wk_waiter_init(&optimizing->waiter, optimize);
	INIT_LIST_HEAD(&optimizing->splices);
	optimizing->delay = RETRY_MS;
	return optimizing;
}

void wk_optimizing_add(struct wk_optimizing *optimizing, struct wk_splice *splice)
{
	wk_assert_locked();
	list_add_tail(&splice->optimize, &optimizing->splices);
}

void wk_optimizing_forget(struct wk_splice *splice)
{
	wk_assert_locked();
	list_del_init(&splice->optimize);
}

void wk_optimizing_start(struct wk_optimizing *optimizing, bool urgent)
{
	wk_assert_locked();
	if (list_empty(&optimizing->splices))
		kfree(optimizing);
	else if (urgent)
		wk_grace_wait(&optimizing->waiter);
	else
		wk_grace_wait_later(&optimizing->waiter, BEGIN_MS);
}
