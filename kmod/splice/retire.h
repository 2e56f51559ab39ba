/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Retirement: what no text leads to any more may still have somebody inside, a task that was
 * preempted in a trampoline or in advice. It is freed after grace periods, in the background, so
 * that a stalled one hangs nobody. Splices that are blocked in the text (poke.h) are tried again
 * until they are out.
 */
#ifndef WK_RETIRE_H
#define WK_RETIRE_H

#include "splice/grace.h"

struct wk_attachment;

struct wk_retirement {
	struct wk_waiter waiter;
	struct list_head trampolines; /* struct wk_trampoline.retired */
	struct list_head splices; /* struct wk_splice.plan; each with its trampoline */
	struct list_head blocked;	  /* likewise; they are still in the text */
	struct list_head slots;	  /* likewise; their slots are still in the text */
	/* the array that a weave's were in; NULL: none. kvfree() */
	struct wk_attachment *attachments;
	/*
	 * Called once, under wk_mutex, when nobody can be in advice any more and nothing is left in
	 * the text that leads there: it has the object then. NULL: the object is freed.
	 */
	void (*ended)(struct wk_retirement *retirement);
};

void wk_retirement_init(struct wk_retirement *retirement,
			void (*ended)(struct wk_retirement *retirement));

/* Hands it over, to be retired after the next grace periods. Under wk_mutex. */
void wk_retirement_start(struct wk_retirement *retirement);

#endif /* WK_RETIRE_H */
