// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The grace periods; see grace.h. They wait for three kinds of execution. A task that was preempted
 * in the text or in a trampoline leaves it before it next sleeps voluntarily, which
 * synchronize_rcu_tasks() waits for. That considers neither idle tasks nor a CPU in the trap; for
 * those, the rude variant makes every CPU schedule once. No task sleeps inside: advice must not
 * sleep, a relocated call leaves no address of the trampoline on the stack, and a call in a
 * displaced range is its last instruction.
 */
#include <linux/mutex.h>
#include <linux/rcupdate.h>

#include "base/compat.h"
#include "splice/grace.h"
#include "base/lock.h"

static struct workqueue_struct *queue;
static LIST_HEAD(waiting); /* waiters for the next grace periods */
/* waiters whose delay is not over; they may join an earlier grace period */
static LIST_HEAD(delayed);

/* Delayed waiters join the grace periods that begin now. */
static void join_delayed(struct list_head *ripe)
{
	struct wk_waiter *waiter, *next;

	list_for_each_entry_safe(waiter, next, &delayed, list)
		if (cancel_delayed_work(&waiter->later))
			list_move_tail(&waiter->list, ripe);
}

static void wait(struct work_struct *work)
{
	struct wk_waiter *waiter;
	LIST_HEAD(ripe);

	mutex_lock(&wk_mutex);
	list_splice_init(&waiting, &ripe);
	if (!list_empty(&ripe))
		join_delayed(&ripe);
	mutex_unlock(&wk_mutex);
	if (list_empty(&ripe))
		return;

	wk_synchronize_leavers();

	mutex_lock(&wk_mutex);
	while ((waiter = list_first_entry_or_null(&ripe, struct wk_waiter, list))) {
		list_del_init(&waiter->list);
		waiter->done(waiter);
	}
	mutex_unlock(&wk_mutex);
}

static DECLARE_WORK(work, wait);

int __init wk_grace_init(void)
{
	queue = alloc_ordered_workqueue("weft", 0);
	return queue ? 0 : -ENOMEM;
}

void wk_grace_deinit(void)
{
	struct wk_waiter *waiter;

	/*
	 * End all delays. A waiter whose delay is over already is in begin(), waiting for wk_mutex,
	 * or has finished there.
	 */
	mutex_lock(&wk_mutex);
	list_for_each_entry(waiter, &delayed, list)
		if (delayed_work_pending(&waiter->later))
			mod_delayed_work(queue, &waiter->later, 0);
	mutex_unlock(&wk_mutex);
	destroy_workqueue(queue);
}

void wk_grace_wait(struct wk_waiter *waiter)
{
	wk_assert_locked();
	list_add_tail(&waiter->list, &waiting);
	queue_work(queue, &work);
}

static void begin(struct work_struct *later)
{
	struct wk_waiter *waiter = container_of(later, struct wk_waiter, later.work);

	mutex_lock(&wk_mutex);
	list_del(&waiter->list);
	wk_grace_wait(waiter);
	mutex_unlock(&wk_mutex);
}

void wk_grace_wait_later(struct wk_waiter *waiter, unsigned int ms)
{
	wk_assert_locked();
	list_add_tail(&waiter->list, &delayed);
	queue_delayed_work(queue, &waiter->later, msecs_to_jiffies(ms));
}

void wk_waiter_init(struct wk_waiter *waiter, void (*done)(struct wk_waiter *waiter))
{
	INIT_LIST_HEAD(&waiter->list);
	INIT_DELAYED_WORK(&waiter->later, begin);
	waiter->done = done;
}
