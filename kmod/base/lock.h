/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lock of weft.ko. The lock order, with the kernel's own locks, is described at the top of
 * weave.c.
 */
#ifndef WK_LOCK_H
#define WK_LOCK_H

#include <linux/lockdep.h>
#include <linux/mutex.h>

#include "base/self-check.h"

/*
 * Protects aspects, plans, splices, slots and decoded functions. Every request and every work item
 * takes it. It may be held for a whole weave, but never while an author's start or end block runs.
 * No other lock is held when it is taken, except the kernel's lock of its module notifiers
 * (part-life.c). The trap and advice never take it.
 */
extern struct mutex wk_mutex;

/*
 * The caller holds wk_mutex. A kernel with lockdep verifies that; without it, debug builds verify
 * that somebody holds it.
 */
static inline void wk_assert_locked(void)
{
	lockdep_assert_held(&wk_mutex);
	WK_BUG(!mutex_is_locked(&wk_mutex), "wk_mutex is not held\n");
}

#endif /* WK_LOCK_H */
