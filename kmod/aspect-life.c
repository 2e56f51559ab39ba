// SPDX-License-Identifier: GPL-2.0-or-later
/* See aspect-life.h. */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/sched.h>

#include "aspect.h"
#include "aspect-life.h"
#include "filter.h"
#include "plan.h"
#include "weave.h"

/*
 * Before the first hit: clears the state of tasks, then runs the author's start block, which may
 * sleep.
 */
static int start(struct wk_aspect *aspect, s32 *start_ret)
{
	int ret = wk_tasks_start(&aspect->tasks);

	if (ret)
		return ret;
	*start_ret = aspect->module->start ? aspect->module->start() : 0;
	if (!*start_ret)
		return 0;
	wk_tasks_stop(&aspect->tasks);
	return -ECANCELED;
}

/* When no task can be in advice any more. The author's end block may sleep, too. */
static void end(struct wk_aspect *aspect)
{
	wk_tasks_stop(&aspect->tasks);
	if (aspect->module->end)
		aspect->module->end();
}

static void on_retired(struct wk_retirement *retirement)
{
	struct wk_aspect *aspect = container_of(retirement, struct wk_aspect, retirement);

	wk_fault_end(&aspect->fault);
	end(aspect);
	wk_aspect_become(aspect, WEFT_STATE_LOADED);
	module_put(aspect->module->module);
}

static void on_over(struct wk_timing *timing)
{
	wk_aspect_unweave(container_of(timing, struct wk_aspect, timing));
}

static void on_hit(struct wk_once *once)
{
	wk_unweave_hit(container_of(once, struct wk_aspect, once));
}

static void on_fault(struct wk_fault *fault)
{
	struct wk_aspect *aspect = container_of(fault, struct wk_aspect, fault);

	if (aspect->state == WEFT_STATE_WOVEN)
		wk_aspect_unweave(aspect);
}

/* Called when all splices are in the text. */
static void begin(struct wk_aspect *aspect, u8 *once, struct file *bound)
{
	aspect->bound = bound;
	aspect->owner = get_task_pid(current, PIDTYPE_TGID);
	wk_aspect_become(aspect, WEFT_STATE_WOVEN);
	WRITE_ONCE(aspect->module->armed, true);
	wk_once_begin(&aspect->once, once, on_hit);
	wk_metrics_count_shadows(&aspect->metrics, aspect->module, &aspect->attachments);
	wk_timing_begin(&aspect->timing, on_over);
}

int wk_aspect_weave(struct wk_aspect *aspect, struct wk_plan *plan, struct file *file,
		    struct weft_weave *request)
{
	u8 *once;
	int ret;

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
	ret = start(aspect, &request->start);
	if (ret)
		goto err_fault;
	wk_timing_start_metrics(&aspect->timing);
	ret = wk_weave(aspect, plan, once, request->flags & WEFT_WEAVE_URGENT);
	if (ret)
		goto err_started;
	begin(aspect, once, request->flags & WEFT_WEAVE_BOUND ? file : NULL);
	return 0;

err_started:
	end(aspect);
err_fault:
	wk_fault_end(&aspect->fault);
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

	WRITE_ONCE(aspect->module->armed, false);
	restored = wk_unweave(aspect, on_retired);
	aspect->bound = NULL;
	put_pid(aspect->owner);
	aspect->owner = NULL;
	wk_aspect_become(aspect, WEFT_STATE_RETIRING);
	wk_timing_end(&aspect->timing);
	wk_once_end(&aspect->once);
	wk_metrics_stop(&aspect->metrics);
	return restored;
}
