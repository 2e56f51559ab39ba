/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls of aspects' start and end blocks, which a fault in them can return to (leave.h). They run
 * in a process, may sleep, and are called by no trampoline.
 */
#ifndef WK_BLOCK_CALL_H
#define WK_BLOCK_CALL_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/types.h>

struct task_struct;
struct weft_aspect;
struct wk_fault;

/* A block that runs. On the stack of the task that runs it. */
struct wk_block_call {
	struct list_head list;
	struct task_struct *task;
	const struct weft_aspect *module;
	struct wk_fault *fault; /* of its aspect (fault.h); opaque here */
	bool end;		/* the end block, not the start block */
	int preempts;		/* the preemption count that it is called with */
	bool left;		/* set by wk_leave() */
};

/* How many blocks run. */
extern atomic_t wk_blocks_running;

/*
 * Runs @module's start block, or its end block. Returns what the start block does; after a fault,
 * -EFAULT. RCU read sections that a fault has left are ended. May sleep.
 */
int wk_block_call(const struct weft_aspect *module, struct wk_fault *fault, bool end);

/*
 * The block that the current task runs, if @ip, a return address on its stack, is the one that the
 * block returns to; else NULL. Any context, under rcu_read_lock().
 */
struct wk_block_call *wk_block_call_at(unsigned long ip);

/* For a task that dies in a block, by an oops; nothing is done if it runs none. */
void wk_block_call_abandon(void);

int wk_block_call_init(void);

#endif /* WK_BLOCK_CALL_H */
