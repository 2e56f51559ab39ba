/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting until everybody has left: tasks that were preempted in text that nothing leads to any
 * more, idle tasks, CPUs in the trap. In the background, so that a stalled grace period hangs
 * nobody; all that wait at one time are served by one.
 */
#ifndef WK_GRACE_H
#define WK_GRACE_H

#include <linux/list.h>
#include <linux/workqueue.h>

struct wk_waiter {
	struct list_head list;
	struct delayed_work later;
	/*
	 * Called once, in the order of waiting, under wk_mutex; may free the waiter, or wait again.
	 * May sleep.
	 */
	void (*done)(struct wk_waiter *waiter);
};

int wk_grace_init(void);
void wk_grace_deinit(void); /* waits for all that is under way */

void wk_waiter_init(struct wk_waiter *waiter, void (*done)(struct wk_waiter *waiter));

/* Has @waiter->done called after the next grace periods. Under wk_mutex. */
void wk_grace_wait(struct wk_waiter *waiter);

/*
 * The same, but they begin in @ms milliseconds, or when somebody else's do, or with
 * wk_grace_deinit().
 */
void wk_grace_wait_later(struct wk_waiter *waiter, unsigned int ms);

#endif /* WK_GRACE_H */
