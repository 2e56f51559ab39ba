/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls aspects' start and end blocks. If a block faults, it is ended there, and execution goes on
 * after the call (leave.h). Blocks run in process context and may sleep; trampolines do not call
 * them.
 */
#ifndef WK_BLOCK_CALL_H
#define WK_BLOCK_CALL_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/types.h>

struct task_struct;
struct weft_aspect;
struct wk_fault;

/* A block that is running. On the stack of the task that runs it. */
struct wk_block_call {
	struct list_head list;
	struct task_struct *task;
	const struct weft_aspect *module;
	struct wk_fault *fault; /* fault state of its aspect (fault.h); opaque here */
	bool end;		/* the end block, not the start block */
	int preempts;		/* the preemption count with which the block is called */
	bool left;		/* the block was left after a fault; set by wk_leave() */
};

/* The number of blocks that are running. */
extern atomic_t wk_blocks_running;

/*
 * Runs @module's start block or, if @end, its end block. May sleep for any time, so the caller does
 * not hold wk_mutex. Returns what the start block returns; 0 for an end block; -EFAULT if the block
 * has faulted. After a fault, the RCU read sections that the block had entered are ended.
 */
int wk_block_call(const struct weft_aspect *module, struct wk_fault *fault, bool end);

/*
 * Returns the block that the current task runs, if @ip is the address to which the block returns;
 * else NULL. Any context, under rcu_read_lock().
 */
struct wk_block_call *wk_block_call_at(unsigned long ip);

/*
 * Forgets the block of the current task, which dies in it by an oops. Does nothing if the task runs
 * no block.
 */
void wk_block_call_abandon(void);

/* Returns 0, or -ENOENT if the kernel does not know the size of weft.ko's functions. */
int wk_block_call_init(void);

#endif /* WK_BLOCK_CALL_H */
