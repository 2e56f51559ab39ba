/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Retirement: frees trampolines and splices that no text leads to any more. A task may still be
 * inside, preempted in a trampoline or in advice, so they are freed after grace periods, in a work
 * item; a stalled grace period blocks no request. Splices that are blocked in the text (poke.h) are
 * retried until they are out.
 */
#ifndef WK_RETIRE_H
#define WK_RETIRE_H

#include "splice/grace.h"

struct wk_retirement {
	struct wk_waiter waiter;
	struct list_head trampolines; /* linked by wk_trampoline.retired */
	struct list_head splices; /* linked by wk_splice.plan; each with its trampoline */
	struct list_head blocked;	  /* linked by wk_splice.plan; still in the text */
	/* splices, linked by wk_splice.plan, of which only the slots are still in the text */
	struct list_head slots;
	/* linked by wk_attachments.list; freed by wk_attachments_destroy() */
	struct list_head attachments;
	/*
	 * Called under wk_mutex when no task can be in advice any more and nothing in the text
	 * leads there. The callee then owns the object. It is called once; if it queues ->waiter
	 * again, it is called once more. NULL: nothing is called, and the object is freed.
	 */
	void (*ended)(struct wk_retirement *retirement);
	/*
	 * Returns whether a task is inside around-advice, where it may sleep, or uprobes are still
	 * being unregistered. While that is so, ->attachments and the module must stay; the text
	 * and the trampolines need not. Called under wk_mutex. NULL: there are neither.
	 */
	bool (*held)(const struct wk_retirement *retirement);
	bool left; /* ->held() was false: nobody is inside any more */
};

void wk_retirement_init(struct wk_retirement *retirement,
			void (*ended)(struct wk_retirement *retirement));

/*
 * A retirement on the heap that belongs to no aspect. It may last longer than any aspect is loaded,
 * so it holds a reference to weft.ko. May sleep; NULL if memory is short. If it was not started, it
 * is freed by wk_retirement_drop(), which accepts NULL.
 */
struct wk_retirement *wk_retirement_create(void);
void wk_retirement_drop(struct wk_retirement *retirement);

/* Starts the retirement and takes ownership of it. Under wk_mutex. */
void wk_retirement_start(struct wk_retirement *retirement);

#endif /* WK_RETIRE_H */
