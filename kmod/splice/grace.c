// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The grace periods; see grace.h. They wait for two kinds of execution:
 * - A task that was preempted in the text or in a trampoline. It leaves the place before it next
 *   sleeps voluntarily, and synchronize_rcu_tasks() waits for that. No task sleeps inside: advice
 *   must not sleep, a relocated call leaves no address of the trampoline on the stack, and a call
 *   in a displaced range is its last instruction.
 * - Code that cannot be preempted: the idle task, a trap, an interrupt or NMI, a region with
 *   preemption off. A CPU has left such code once it has switched to another task. So each CPU is
 *   made to run a work item, whose worker is a task of its own. When the item runs, everything that
 *   ran on that CPU before has either been left, or is a preempted task.
 *
 * The kernel has synchronize_rcu_tasks_rude() for the second kind, and ftrace still calls it. But
 * on architectures whose entry and idle code is noinstr, such as x86, it does nothing in newer
 * kernels (since 7.2 at the latest). That is enough for ftrace and BPF: they are never called where
 * RCU is not watching, and where RCU is watching, synchronize_rcu_tasks() waits for non-preemptible
 * code as well, by an RCU grace period. For weft it is not enough. A splice may be where RCU is not
 * watching: not in noinstr text, but in functions that noinstr text calls between
 * instrumentation_begin() and instrumentation_end() (text/single-entry.c). No RCU grace period
 * waits for those.
 */
#include <linux/cpu.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>

#include "splice/grace.h"
#include "base/lock.h"

static struct workqueue_struct *queue;
/* Work items that do nothing. wait_for_leavers() queues one on each CPU. */
static DEFINE_PER_CPU(struct work_struct, switches);
static LIST_HEAD(waiting); /* waiters for the next grace periods */
/* waiters whose delay is not over; they may join an earlier grace period */
static LIST_HEAD(delayed);

/* Moves the delayed waiters to @ripe: they join the grace periods that begin now. */
static void join_delayed(struct list_head *ripe)
{
	struct wk_waiter *waiter, *next;

	list_for_each_entry_safe(waiter, next, &delayed, list)
		if (cancel_delayed_work(&waiter->later))
			list_move_tail(&waiter->list, ripe);
}

static void after_switch(struct work_struct *work)
{
}

/*
 * Waits until no task or CPU can still be in text or trampolines that nothing led to any more when
 * this function was called. It waits for the work items and for RCU tasks at the same time.
 */
static void wait_for_leavers(void)
{
	unsigned int cpu;

	/*
	 * Holding cpus_read_lock() means that no CPU is going online or offline now. A CPU may
	 * still go offline after the lock is released and before its work item has run. To do so,
	 * it has to switch to its stopper thread, which ends whatever ran there before, as the work
	 * item would; the item then runs on another CPU.
	 */
	cpus_read_lock();
	for_each_online_cpu(cpu)
		schedule_work_on(cpu, per_cpu_ptr(&switches, cpu));
	cpus_read_unlock();
	synchronize_rcu_tasks();
	for_each_possible_cpu(cpu)
		flush_work(per_cpu_ptr(&switches, cpu));
}

static void wait(struct work_struct *work)
{
	struct wk_waiter *waiter;
	LIST_HEAD(ripe);

	mutex_lock(&wk_mutex);
	list_splice_init(&waiting, &ripe);
	if (!list_empty(&ripe))
		join_delayed(&ripe);
	mutex_unlock(&wk_mutex);
	if (list_empty(&ripe))
		return;

	wait_for_leavers();

	mutex_lock(&wk_mutex);
	while ((waiter = list_first_entry_or_null(&ripe, struct wk_waiter, list))) {
		list_del_init(&waiter->list);
		waiter->done(waiter);
	}
	mutex_unlock(&wk_mutex);
}

static DECLARE_WORK(work, wait);

int __init wk_grace_init(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		INIT_WORK(per_cpu_ptr(&switches, cpu), after_switch);
	queue = alloc_ordered_workqueue("weft", 0);
	return queue ? 0 : -ENOMEM;
}

void wk_grace_deinit(void)
{
	struct wk_waiter *waiter;

	/*
	 * End all delays. A waiter whose delay is over already is in begin(), waiting for wk_mutex,
	 * or has finished there.
	 */
	mutex_lock(&wk_mutex);
	list_for_each_entry(waiter, &delayed, list)
		if (delayed_work_pending(&waiter->later))
			mod_delayed_work(queue, &waiter->later, 0);
	mutex_unlock(&wk_mutex);
	destroy_workqueue(queue);
}

void wk_grace_wait(struct wk_waiter *waiter)
{
	wk_assert_locked();
	list_add_tail(&waiter->list, &waiting);
	queue_work(queue, &work);
}

static void begin(struct work_struct *later)
{
	struct wk_waiter *waiter = container_of(later, struct wk_waiter, later.work);

	mutex_lock(&wk_mutex);
	list_del(&waiter->list);
	wk_grace_wait(waiter);
	mutex_unlock(&wk_mutex);
}

void wk_grace_wait_later(struct wk_waiter *waiter, unsigned int ms)
{
	wk_assert_locked();
	list_add_tail(&waiter->list, &delayed);
	queue_delayed_work(queue, &waiter->later, msecs_to_jiffies(ms));
}

void wk_waiter_init(struct wk_waiter *waiter, void (*done)(struct wk_waiter *waiter))
{
	INIT_LIST_HEAD(&waiter->list);
	INIT_DELAYED_WORK(&waiter->later, begin);
	waiter->done = done;
}
