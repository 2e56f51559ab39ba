// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls start and end blocks; see block-call.h. */
#include <linux/errno.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "base/unexported.h"
#include "runtime/advice.h"
#include "splice/block-call.h"
#include "splice/held.h"

atomic_t wk_blocks_running;

/* list of struct wk_block_call, linked by .list; changed under `lock`, read under RCU */
static LIST_HEAD(running);
static DEFINE_SPINLOCK(lock);

/* Live addresses: the text of call_block(). */
static unsigned long call_start, call_end;

/*
 * Calls the start or end block of @module, and does nothing else. After a fault in the block,
 * execution goes on after the call, and most registers are lost. So what this function needs there
 * must be on the stack, or in a register that aspects never change.
 */
static noinline notrace int call_block(const struct weft_aspect *module, bool end)
{
	int ret = 0;

	if (end)
		module->end();
	else
		ret = module->start();
	barrier(); /* no tail call: the block must return to this function (wk_block_call_at()) */
	return ret;
}

static void remove(struct wk_block_call *block)
{
	atomic_dec(&wk_blocks_running);
	spin_lock(&lock);
	list_del_rcu(&block->list);
	spin_unlock(&lock);
}

int wk_block_call(const struct weft_aspect *module, struct wk_fault *fault, bool end)
{
	struct wk_block_call block = { .task = current,
				       .module = module,
				       .fault = fault,
				       .end = end,
				       .preempts = preempt_count() };
	const struct wk_held before = wk_held_now();
	int ret;

	spin_lock(&lock);
	list_add_rcu(&block.list, &running);
	spin_unlock(&lock);
	atomic_inc(&wk_blocks_running);
	ret = call_block(module, end);
	if (READ_ONCE(block.left))
		wk_held_give_back(&before);
	remove(&block);
	synchronize_rcu();
	return ret;
}

static struct wk_block_call *current_block(void)
{
	struct wk_block_call *block;

	list_for_each_entry_rcu(block, &running, list)
		if (block->task == current)
			return block;
	return NULL;
}

struct wk_block_call *wk_block_call_at(unsigned long ip)
{
	return ip > call_start && ip <= call_end ? current_block() : NULL;
}

/*
 * Takes the block off the list by remove(), because other CPUs may be reading the struct
 * wk_block_call just now. They may go on reading it: it is on the stack of the current task, and
 * the kernel frees the stack of a dead task only after a grace period.
 */
void wk_block_call_abandon(void)
{
	struct wk_block_call *block;

	rcu_read_lock();
	block = current_block();
	rcu_read_unlock();
	if (block)
		remove(block);
}

int wk_block_call_init(void)
{
	unsigned long size, offset;

	if (!wk_call(kallsyms_lookup_size_offset)((unsigned long)call_block, &size, &offset))
		return -ENOENT;
	call_start = (unsigned long)call_block;
	call_end = call_start + size;
	return 0;
}
