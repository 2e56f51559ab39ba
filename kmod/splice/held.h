/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a task holds and the kernel only counts, so that any code may give it back: RCU read
 * sections, and disabled page faults. Advice or a block that a fault has ended (leave.h) cannot
 * give back what it took; so its caller does.
 */
#ifndef WK_HELD_H
#define WK_HELD_H

#include <linux/kconfig.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

/* What the current task held at some time. */
struct wk_held {
	int rcu_depth, pagefaults;
};

static __always_inline struct wk_held wk_held_now(void)
{
	return (struct wk_held){ .rcu_depth = rcu_preempt_depth(),
				 .pagefaults = current->pagefault_disabled };
}

/* Gives back what the current task has taken since @before was made by wk_held_now(). */
static inline void wk_held_give_back(const struct wk_held *before)
{
	while (IS_ENABLED(CONFIG_PREEMPT_RCU) && rcu_preempt_depth() > before->rcu_depth)
		rcu_read_unlock();
	while (current->pagefault_disabled > before->pagefaults)
		pagefault_enable();
}

#endif /* WK_HELD_H */
