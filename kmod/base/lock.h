/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The locks of weft.ko. The lock order, with the kernel's own locks, is described at the top of
 * weave.c.
 */
#ifndef WK_LOCK_H
#define WK_LOCK_H

#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

#include "base/self-check.h"

/*
 * Protects aspects, plans, splices, slots and decoded functions. Every request of /dev/weft and
 * every work item takes it. It may be held for a whole weave, but never while an author's start or
 * end block runs. No other lock is held when it is taken, except the kernel's lock of its module
 * notifiers (part-life.c). The trap and advice never take it, nor does a request of /dev/weft-read.
 */
extern struct mutex wk_mutex;

/*
 * Protects what the readers of records share: in the rings of all aspects, the cursors and the
 * space that is free for writers; the views; and which aspects users may read. The list of aspects
 * is changed only under this lock and wk_mutex. Taken with wk_mutex held, or without it. Advice,
 * which writes the records, never takes it.
 *
 * It is a spinlock so that its holder is not preempted. A user's task may be left without a CPU for
 * any time, by its priority or its control group: if it held a mutex then, root would wait for it.
 * Each holder keeps the lock for a limited amount of work, tens of microseconds: whatever the
 * number of CPUs, readers and statements, and whether writers are stopped in the middle of a record
 * or not (struct hold in record/view.c).
 */
extern spinlock_t wk_readers_lock;

/*
 * The caller holds wk_mutex. A kernel with lockdep verifies that; without it, debug builds verify
 * that somebody holds it.
 */
static inline void wk_assert_locked(void)
{
	lockdep_assert_held(&wk_mutex);
	WK_BUG(!mutex_is_locked(&wk_mutex), "wk_mutex is not held\n");
}

/* As wk_assert_locked(): the caller holds wk_readers_lock. */
static inline void wk_assert_readers_locked(void)
{
	lockdep_assert_held(&wk_readers_lock);
	WK_BUG(!spin_is_locked(&wk_readers_lock), "wk_readers_lock is not held\n");
}

#endif /* WK_LOCK_H */
