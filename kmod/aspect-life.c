// SPDX-License-Identifier: GPL-2.0-or-later
/* Starts and stops everything that belongs to a weave; see aspect-life.h. */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "splice/around-table.h"
#include "aspect.h"
#include "aspect-life.h"
#include "base/lock.h"
#include "filter.h"
#include "part-life.h"
#include "parts.h"
#include "plan.h"
#include "plan-check.h"
#include "uprobes.h"
#include "splice/block-call.h"
#include "weave.h"

/* Milliseconds until the next attempt if no thread could be created for an end block. */
enum { RETRY_MS = 500 };

/*
 * nr_threads: how many threads were created for end blocks; under wk_mutex. left: each such thread
 * calls complete() for it when the thread leaves weft.ko's text.
 */
static unsigned int nr_threads;
static DECLARE_COMPLETION(left);

/* ---- running start and end blocks ------------------------------------------------------------ */

/*
 * Notes that @thread begins to run the start or end block of @aspect. A block is C code of the
 * aspect's author: it may sleep, and it may never return. So the callers release wk_mutex while the
 * block runs. Meanwhile the aspect's state (STARTING or ENDING) keeps other requests from weaving,
 * unweaving or freeing it, and the weave's reference to the module keeps the module loaded. A block
 * that faults is ended there (fault.h). If the fault becomes an oops instead, @thread dies, but it
 * holds no lock of weft.ko.
 */
static void begin_block(struct wk_aspect *aspect, struct task_struct *thread)
{
	aspect->block.thread = get_task_pid(thread, PIDTYPE_PID);
	aspect->block.since = ktime_get_ns();
}

static void end_block(struct wk_aspect *aspect)
{
	put_pid(aspect->block.thread);
	aspect->block.thread = NULL;
}

/*
 * Called before the first hit of a weave. Clears the memory that the aspect's advice keeps for each
 * task, and its tags, then runs the author's start block. Drops wk_mutex while the block runs.
 * Returns 0, an error of wk_tasks_start(), or:
 * -ECANCELED: the start block has returned an error, which is stored in *@start_ret
 */
static int start(struct wk_aspect *aspect, s32 *start_ret)
{
	int ret = wk_tasks_start(&aspect->tasks);

	wk_tags_start(&aspect->tags);
	if (ret || !aspect->module->start)
		return ret;
	begin_block(aspect, current);
	mutex_unlock(&wk_mutex);
	*start_ret = wk_block_call(aspect->module, &aspect->fault, false);
	mutex_lock(&wk_mutex);
	end_block(aspect);
	if (!*start_ret)
		return 0;
	wk_tasks_stop(&aspect->tasks);
	return -ECANCELED;
}

/*
 * Checks @plan once more, since the start block has run after the first check, or uprobes were
 * registered: wk_mutex was released meanwhile, and other requests may have changed the text and the
 * splices. If the aspect has neither a start block nor uprobes, wk_mutex was held ever since the
 * first check, and this function does nothing. -EAGAIN: an element of the plan is refused now.
 */
static int check_again(const struct wk_aspect *aspect, struct wk_plan *plan)
{
	int ret = aspect->module->start || aspect->uprobes ? wk_plan_check(plan, aspect) : 0;

	return ret || !plan->nr_refused ? ret : -EAGAIN;
}

/*
 * Ends a weave or an unweave: the aspect becomes LOADED, and the reference to its module is
 * dropped. The caller must not use @aspect any more.
 */
static void rest(struct wk_aspect *aspect)
{
	struct module *module = aspect->module->module;

	wk_fault_end(&aspect->fault);
	wk_aspect_become(aspect, WEFT_STATE_LOADED);
	module_put(module);
}

/*
 * Undoes start(), when a weave fails after it. Stops the bookkeeping of tasks (tasks.h), and runs
 * the author's end block in the thread that ran the start block. Drops wk_mutex while the block
 * runs.
 */
static void undo_start(struct wk_aspect *aspect)
{
	wk_tasks_stop(&aspect->tasks);
	if (!aspect->module->end)
		return;
	wk_aspect_become(aspect, WEFT_STATE_ENDING);
	begin_block(aspect, current);
	mutex_unlock(&wk_mutex);
	wk_block_call(aspect->module, &aspect->fault, true);
	mutex_lock(&wk_mutex);
	end_block(aspect);
}

static int run_end(void *aspect_)
{
	struct wk_aspect *aspect = aspect_;

	wk_block_call(aspect->module, &aspect->fault, true);
	mutex_lock(&wk_mutex);
	end_block(aspect);
	rest(aspect);
	mutex_unlock(&wk_mutex);
	/*
	 * The aspect is LOADED now, so its module and then weft.ko may be unloaded. But weft.ko
	 * waits for this thread in wk_aspect_life_deinit().
	 */
	kthread_complete_and_exit(&left, 0);
}

/*
 * Returns whether any task is inside around-advice of the retiring aspect: in the advice, or in the
 * kernel's function that the advice has called. The task may sleep in that function for any time,
 * so grace periods do not wait for it. Also true while the aspect's uprobes are being unregistered.
 */
static bool is_inside(const struct wk_retirement *retirement)
{
	const struct wk_aspect *aspect = container_of(retirement, struct wk_aspect, retirement);

	return wk_around_inside(aspect->module) || !wk_uprobes_are_out(aspect->uprobes);
}

/*
 * Called at the end of an aspect's retirement, when no task can be in its advice any more. Stops
 * what the weave has started, and runs the author's end block in a thread of its own. A worker of
 * the kernel must not run the block: a block that never returns would hold up all other
 * retirements, and a block that oopses would kill the worker.
 */
static void on_retired(struct wk_retirement *retirement)
{
	struct wk_aspect *aspect = container_of(retirement, struct wk_aspect, retirement);
	struct task_struct *thread;

	wk_uprobes_free(&aspect->uprobes);
	wk_budget_end(&aspect->budget);
	wk_tasks_stop(&aspect->tasks);
	if (!aspect->module->end) {
		rest(aspect);
		return;
	}
	thread = kthread_create(run_end, aspect, "weft-end/%s", aspect->name);
	if (IS_ERR(thread)) {
		wk_grace_wait_later(&retirement->waiter, RETRY_MS);
		return;
	}
	nr_threads++;
	wk_aspect_become(aspect, WEFT_STATE_ENDING);
	begin_block(aspect, thread);
	wake_up_process(thread);
}

/* ---- weaving and unweaving ------------------------------------------------------------------- */

static void on_start(struct wk_timing *timing)
{
	struct wk_aspect *aspect = container_of(timing, struct wk_aspect, timing);

	if (!aspect->tags.lost)
		WRITE_ONCE(aspect->module->tagging, true);
}

static void on_over(struct wk_timing *timing)
{
	wk_aspect_unweave(container_of(timing, struct wk_aspect, timing));
}

static void on_hit(struct wk_once *once)
{
	wk_unweave_hit(container_of(once, struct wk_aspect, once));
}

static bool on_fault(struct wk_fault *fault)
{
	struct wk_aspect *aspect = container_of(fault, struct wk_aspect, fault);
	bool woven = aspect->state == WEFT_STATE_WOVEN;

	if (woven)
		wk_aspect_unweave(aspect);
	return woven;
}

/*
 * Called when all splices of @aspect are in the text. Makes the aspect WOVEN, and starts the work
 * that goes with it: removing advice that runs only once (once.h), counting the shadows of each
 * metric, and the start and stop times of advice. @once: the states of wk_once_prepare(). @bound:
 * see struct wk_aspect.
 */
static void begin(struct wk_aspect *aspect, u8 *once, struct file *bound)
{
	aspect->bound = bound;
	aspect->owner = get_task_pid(current, PIDTYPE_TGID);
	wk_aspect_become(aspect, WEFT_STATE_WOVEN);
	WRITE_ONCE(aspect->module->armed, true);
	if (!aspect->timing.after)
		on_start(&aspect->timing);
	wk_once_begin(&aspect->once, once, on_hit);
	wk_part_life_count_shadows(aspect);
	wk_timing_begin(&aspect->timing, on_start, on_over);
	wk_uprobes_open(aspect->uprobes);
}

/*
 * Registers the aspect's uprobes, if it has joinpoints in programs. Drops wk_mutex meanwhile: to
 * open a program may take any time. The aspect is STARTING. -ENOMEM; -ENOEXEC: a program cannot be
 * woven.
 */
static int begin_uprobes(struct wk_aspect *aspect)
{
	const struct wk_uprobes_of of = {
		.module = aspect->module,
		.timing = &aspect->timing,
		.fault = &aspect->fault,
		.budget = &aspect->budget,
	};
	struct wk_uprobes *uprobes;
	int ret;

	if (!wk_uprobes_wanted(aspect->module))
		return 0;
	mutex_unlock(&wk_mutex);
	ret = wk_uprobes_make(&of, &uprobes);
	mutex_lock(&wk_mutex);
	aspect->uprobes = uprobes;
	if (ret && ret != -ENOMEM)
		pr_err("%s: a program that it has joinpoints in cannot be woven: %d\n",
		       aspect->name, ret);
	return ret && ret != -ENOMEM ? -ENOEXEC : ret;
}

/* Undoes begin_uprobes(), when a weave fails after it. Drops wk_mutex meanwhile. */
static void undo_uprobes(struct wk_aspect *aspect)
{
	struct wk_uprobes *uprobes = aspect->uprobes;

	if (!uprobes)
		return;
	aspect->uprobes = NULL;
	mutex_unlock(&wk_mutex);
	wk_uprobes_undo(uprobes);
	mutex_lock(&wk_mutex);
}

int wk_aspect_weave(struct wk_aspect *aspect, struct wk_plan *plan, struct file *file,
		    struct weft_weave *request)
{
	u8 *once;
	int ret;

	wk_assert_locked();
	if (!try_module_get(aspect->module->module))
		return -ENOENT;
	ret = wk_filter_set(aspect->module, &request->filter);
	if (ret)
		goto err_module;
	ret = wk_once_prepare(&aspect->once, &once);
	if (ret)
		goto err_module;
	ret = wk_metrics_start(&aspect->metrics);
	if (ret)
		goto err_once;
	wk_fault_begin(&aspect->fault, on_fault);
	wk_aspect_become(aspect, WEFT_STATE_STARTING);
	ret = start(aspect, &request->start);
	if (ret)
		goto err_metrics;
	ret = begin_uprobes(aspect);
	if (!ret)
		ret = check_again(aspect, plan);
	if (!ret)
		ret = wk_budget_begin(&aspect->budget, aspect->module, request);
	if (ret)
		goto err_uprobes;
	wk_timing_start_metrics(&aspect->timing);
	aspect->weave = request->flags;
	if (aspect->module->header->flags & WEFT_ASPECT_PENDING)
		aspect->weave |= WEFT_WEAVE_PENDING;
	ret = wk_tracepoints_enable(&aspect->tracepoints, aspect->parts,
				    aspect->module->joinpoints, plan);
	if (ret)
		goto err_budget;
	ret = wk_parts_prepare(aspect, plan);
	if (!ret && plan->nr)
		ret = wk_weave(aspect, plan, once, request->flags);
	if (ret)
		goto err_parts;
	begin(aspect, once, request->flags & WEFT_WEAVE_BOUND ? file : NULL);
	wk_part_life_catch_up(aspect);
	return 0;

err_parts:
	wk_parts_end(aspect);
	wk_tracepoints_disable(&aspect->tracepoints);
err_budget:
	wk_budget_end(&aspect->budget);
err_uprobes:
	undo_uprobes(aspect);
	undo_start(aspect);
err_metrics:
	wk_fault_end(&aspect->fault);
	wk_aspect_become(aspect, WEFT_STATE_LOADED);
	wk_metrics_stop(&aspect->metrics);
err_once:
	kvfree(once);
err_module:
	module_put(aspect->module->module);
	return ret;
}

u32 wk_aspect_unweave(struct wk_aspect *aspect)
{
	u32 restored;

	wk_assert_locked();
	WRITE_ONCE(aspect->module->armed, false);
	WRITE_ONCE(aspect->module->tagging, false);
	restored = wk_uprobes_close(aspect->uprobes);
	restored += wk_unweave(aspect, on_retired);
	if (aspect->module->nr_arounds || aspect->uprobes)
		aspect->retirement.held = is_inside;
	wk_tracepoints_disable(&aspect->tracepoints);
	wk_parts_end(aspect);
	aspect->bound = NULL;
	put_pid(aspect->owner);
	aspect->owner = NULL;
	wk_aspect_become(aspect, WEFT_STATE_RETIRING);
	wk_timing_end(&aspect->timing);
	wk_once_end(&aspect->once);
	wk_metrics_stop(&aspect->metrics);
	return restored;
}

/* ---- ending a weave when the aspect's module is unloaded ------------------------------------- */

/*
 * Brings an aspect whose module is being unloaded to the state LOADED. Usually the aspect is LOADED
 * already, since a woven aspect holds a reference to its module. Only `rmmod -f` unloads a module
 * in spite of references. Then this function unweaves the aspect, and waits until nothing can be in
 * the module's text any more, however long that takes: for ever if a start or end block never
 * returns. No new weave can begin meanwhile, since a weave needs a new reference to the module,
 * which is going.
 */
static void quiesce(struct wk_aspect *aspect)
{
	if (aspect->state != WEFT_STATE_LOADED)
		pr_warn("%s: unloaded by force, so its module waits until nothing runs in it\n",
			aspect->name);
	while (aspect->state != WEFT_STATE_LOADED) {
		if (aspect->state == WEFT_STATE_WOVEN)
			wk_aspect_unweave(aspect);
		wk_aspect_wait(aspect);
	}
}

/*
 * Called by the exit function of an aspect's module, with its struct weft_aspect: removes the
 * aspect. Waits, without wk_mutex, until it is not woven and nothing runs in the module.
 */
void weft_aspect_unregister(void *module_)
{
	struct weft_aspect *module = module_;
	struct wk_aspect *aspect;

	mutex_lock(&wk_mutex);
	aspect = container_of(module->private, struct wk_aspect, records);
	quiesce(aspect);
	wk_plan_forget();
	wk_aspect_remove(aspect);
	mutex_unlock(&wk_mutex);
}
EXPORT_SYMBOL_GPL(weft_aspect_unregister);

void wk_aspect_life_deinit(void)
{
	for (; nr_threads; nr_threads--)
		wait_for_completion(&left);
}
