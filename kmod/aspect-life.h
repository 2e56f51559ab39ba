/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts and stops everything that belongs to a weave: the splices (weave.h), the filter, metrics,
 * memory for tasks, timing, the author's start and end blocks, and a reference to the aspect's
 * module. Also ends what is left of a weave when the aspect's module is unloaded. Process context,
 * may sleep; under wk_mutex, which wk_aspect_weave() releases while the author's blocks run.
 */
#ifndef WK_ASPECT_LIFE_H
#define WK_ASPECT_LIFE_H

#include "runtime/abi.h"

struct file;
struct wk_aspect;
struct wk_plan;

/*
 * Weaves @aspect by @plan, in which nothing is refused: all of it or nothing. @aspect is LOADED,
 * and wk_timing_prepare() has succeeded. If @request has the flag WEFT_WEAVE_BOUND, the aspect is
 * bound to the open file @file. Returns 0, an error of wk_filter_set(), wk_once_prepare(),
 * wk_metrics_start(), wk_tasks_start(), wk_plan_check(), wk_budget_begin(),
 * wk_tracepoints_enable(), wk_parts_prepare() or wk_weave(), or one of these:
 * -ENOENT: the aspect's module is being unloaded
 * -ECANCELED: the start block has failed; request->start is what it returned
 * -EAGAIN: while the start block ran, the text changed so that elements of @plan are refused now
 */
int wk_aspect_weave(struct wk_aspect *aspect, struct wk_plan *plan, struct file *file,
		    struct weft_weave *request);

/*
 * Unweaves @aspect, which is WOVEN. Cannot fail. Returns the number of splices whose original bytes
 * are restored. The aspect becomes RETIRING. It becomes ENDING when no task can be in its advice
 * any more and no splice is blocked, and LOADED again when its end block has returned.
 */
u32 wk_aspect_unweave(struct wk_aspect *aspect);

/*
 * Waits until no thread that has run an end block is in weft.ko's text any more. No aspect may be
 * loaded.
 */
void wk_aspect_life_deinit(void);

#endif /* WK_ASPECT_LIFE_H */
