/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts and stops everything that belongs to a weave: the splices (weave.h), the filter, metrics,
 * memory for tasks, timing, the author's start and end blocks, and a reference to the aspect's
 * module. Process context, may sleep; under wk_mutex.
 */
#ifndef WK_ASPECT_LIFE_H
#define WK_ASPECT_LIFE_H

#include "runtime/abi.h"

struct file;
struct wk_aspect;
struct wk_plan;

/*
 * Weaves @aspect by a plan without refusals: all of it or nothing. @aspect is LOADED, and
 * wk_timing_prepare() has succeeded. @file: the open file that the aspect is bound to if @request
 * says WEFT_WEAVE_BOUND. -ENOENT: its module is being unloaded; -ECANCELED: its start block failed,
 * and request->start is what it returned; or an error of wk_filter_set(), wk_once_prepare(),
 * wk_metrics_start(), wk_tasks_start() or wk_weave().
 */
int wk_aspect_weave(struct wk_aspect *aspect, struct wk_plan *plan, struct file *file,
		    struct weft_weave *request);

/*
 * Unweaves @aspect, which is WOVEN. It becomes RETIRING, and LOADED again when no task can be in
 * its advice any more and no splice is blocked. Cannot fail. Returns the number of splices whose
 * original bytes are restored.
 */
u32 wk_aspect_unweave(struct wk_aspect *aspect);

#endif /* WK_ASPECT_LIFE_H */
