/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lock of weft.ko; in which order it and the kernel's are taken stands at the top of weave.c.
 */
#ifndef WK_LOCK_H
#define WK_LOCK_H

#include <linux/mutex.h>

/*
 * Held by whoever looks at or changes aspects, plans, splices, slots or decoded functions: every
 * request, and each of the workers. May be held for a whole weave. The outermost of all locks; the
 * trap and advice never take it.
 */
extern struct mutex wk_mutex;

#endif /* WK_LOCK_H */
