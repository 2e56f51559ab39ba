/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settling: windows of several instructions. A task may have been preempted behind the first of them, and would wake up in the middle
 * of a jump. So such a splice is a trap at first, which leads into the same patch; once nobody who was inside can be there any more,
 * its jump is written. In the background, like retirement. Under wk_mutex.
 */
#ifndef WK_OPTIMIZE_H
#define WK_OPTIMIZE_H

#include "splice/grace.h"

struct wk_splice;

/* The windows of one weave. */
struct wk_settling {
	struct wk_waiter waiter;
	struct list_head splices; /* struct wk_splice.settle */
	unsigned int delay;	  /* in ms, until those that could not be written are tried again */
};

/* NULL where memory is short. */
struct wk_settling *wk_settling_create(void);

/* @splice, which traps and is in the text, becomes a jump some time after wk_settling_start(), or wk_settle_forget(). */
void wk_settling_add(struct wk_settling *settling, struct wk_splice *splice);
void wk_settle_forget(struct wk_splice *splice);

/* Hands it over. @urgent: somebody waits for it. */
void wk_settling_start(struct wk_settling *settling, bool urgent);

#endif /* WK_OPTIMIZE_H */
