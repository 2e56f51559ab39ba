/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Grace periods: waits until no task or CPU can still run text or trampolines that are no longer
 * reachable. That covers preempted tasks, idle tasks and CPUs in the trap. The wait is done in a
 * work item, so that a stalled grace period blocks no request; one wait serves all waiters that are
 * queued when it begins.
 */
#ifndef WK_GRACE_H
#define WK_GRACE_H

#include <linux/list.h>
#include <linux/workqueue.h>

struct wk_waiter {
	struct list_head list;
	struct delayed_work later;
	/*
	 * Called once, after the grace period. Waiters are called in the order in which they were
	 * queued. wk_mutex is held during the call. The function may sleep, and may free the waiter
	 * or queue it again.
	 */
	void (*done)(struct wk_waiter *waiter);
};

/* Returns 0 or -ENOMEM. */
int wk_grace_init(void);
void wk_grace_deinit(void); /* waits for all queued waiters */

void wk_waiter_init(struct wk_waiter *waiter, void (*done)(struct wk_waiter *waiter));

/*
 * Queues @waiter and returns at once. waiter->done is called when a grace period that begins after
 * this call has ended: no task is then in code that was out of the text before. The caller holds
 * wk_mutex.
 */
void wk_grace_wait(struct wk_waiter *waiter);

/*
 * As wk_grace_wait(), but delayed by @ms milliseconds. The waiter joins an earlier wait if one
 * begins before that, and is not delayed any longer once wk_grace_deinit() is called.
 */
void wk_grace_wait_later(struct wk_waiter *waiter, unsigned int ms);

#endif /* WK_GRACE_H */
