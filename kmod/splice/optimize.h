/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Optimizing: turns a trap into a jump, for splices that displace several instructions. A jump
 * cannot be written at once: a task may have been preempted after the first of these instructions,
 * and would resume in the middle of the jump. So such a splice is written as a trap first, which
 * leads to the same trampoline. After grace periods no such task is left, and a work item writes
 * the jump. Under wk_mutex.
 */
#ifndef WK_OPTIMIZE_H
#define WK_OPTIMIZE_H

#include "splice/grace.h"

struct wk_splice;

/* The splices of one weave that wait for their jump. */
struct wk_optimizing {
	struct wk_waiter waiter;
	struct list_head splices; /* list of struct wk_splice, linked by .optimize */
	unsigned int delay;	  /* ms until jumps that could not be written are tried again */
};

/* Creates an empty object, which the caller owns. NULL if memory is short. */
struct wk_optimizing *wk_optimizing_create(void);

/*
 * Adds @splice, which is in the text as a trap. It becomes a jump some time after
 * wk_optimizing_start(), unless wk_optimizing_forget() removes it first.
 */
void wk_optimizing_add(struct wk_optimizing *optimizing, struct wk_splice *splice);
void wk_optimizing_forget(struct wk_splice *splice);

/*
 * Starts the wait and takes ownership of @optimizing. @urgent: a caller waits for the jumps, so the
 * grace periods begin at once.
 */
void wk_optimizing_start(struct wk_optimizing *optimizing, bool urgent);

#endif /* WK_OPTIMIZE_H */
