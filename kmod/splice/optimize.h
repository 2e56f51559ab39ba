/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Optimizing: displaced ranges of several instructions. A task may have been preempted behind the
 * first of them, and would wake up in the middle of a jump. So such a splice is a trap at first,
 * which leads into the same trampoline; once nobody who was inside can be there any more, its jump
 * is written. In the background, like retirement. Under wk_mutex.
 */
#ifndef WK_OPTIMIZE_H
#define WK_OPTIMIZE_H

#include "splice/grace.h"

struct wk_splice;

/* The displaced ranges of one weave. */
struct wk_optimizing {
	struct wk_waiter waiter;
	struct list_head splices; /* struct wk_splice.optimize */
	unsigned int delay;	  /* in ms, until those that could not be written are tried again */
};

/* NULL where memory is short. */
struct wk_optimizing *wk_optimizing_create(void);

/*
 * @splice, which traps and is in the text, becomes a jump some time after wk_optimizing_start(), or
 * wk_optimizing_forget().
 */
void wk_optimizing_add(struct wk_optimizing *optimizing, struct wk_splice *splice);
void wk_optimizing_forget(struct wk_splice *splice);

/* Hands it over. @urgent: somebody waits for it. */
void wk_optimizing_start(struct wk_optimizing *optimizing, bool urgent);

#endif /* WK_OPTIMIZE_H */
