/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Retirement: what no text leads to any more may still have somebody inside, a task that was
 * preempted in a trampoline or in advice. It is freed after grace periods, in the background, so
 * that a stalled one hangs nobody. Splices that are blocked in the text (poke.h) are tried again until they are out.
 */
#ifndef WK_RETIRE_H
#define WK_RETIRE_H

#include "splice/grace.h"

struct wk_aspect;

struct wk_retirement {
	struct wk_waiter waiter;
	struct list_head trampolines; /* struct wk_trampoline.retired */
	struct list_head splices; /* struct wk_splice.plan; each with its trampoline */
	struct list_head blocked;	  /* likewise; they are still in the text */
	struct list_head slots;	  /* likewise; their slots are still in the text */
	struct wk_attachment *attachments;	  /* of the aspect; NULL: none */
	struct wk_aspect *aspect; /* whose weave ended with this, or NULL: then the object is freed */
	bool pins;		  /* weft.ko, of which no aspect's module may be left that does */
};

void wk_retirement_init(struct wk_retirement *retirement, struct wk_aspect *aspect);

/* Hands it over. */
void wk_retirement_start(struct wk_retirement *retirement);

#endif /* WK_RETIRE_H */
