/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lock of weft.ko. The lock order, with the kernel's own locks, is described at the top of
 * weave.c.
 */
#ifndef WK_LOCK_H
#define WK_LOCK_H

#include <linux/mutex.h>

/*
 * Protects aspects, plans, splices, slots and decoded functions. Taken by every request and every
 * work item; may be held for a whole weave. It is the outermost of all locks; the trap and advice
 * never take it.
 */
extern struct mutex wk_mutex;

#endif /* WK_LOCK_H */
