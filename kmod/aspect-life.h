/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What begins and ends with a weave of an aspect, besides the splices (weave.h): its filter,
 * metrics, memory for tasks, timing, the author's start and end blocks, and a reference to its
 * module. Process context, may sleep; under wk_mutex.
 */
#ifndef WK_ASPECT_LIFE_H
#define WK_ASPECT_LIFE_H

#include "runtime/abi.h"

struct file;
struct wk_aspect;
struct wk_plan;

/*
 * Weaves @aspect, which is LOADED and whose timing is prepared, by a plan without refusals. @file:
 * what it is bound to, if the request says so. All or nothing. -ENOENT: its module is being
 * unloaded; -ECANCELED: its start block failed, and @request holds what it returned; or an error of
 * wk_filter_set(), wk_metrics_start(), wk_tasks_start() or wk_weave().
 */
int wk_aspect_weave(struct wk_aspect *aspect, struct wk_plan *plan, struct file *file,
		    struct weft_weave *request);

/*
 * Unweaves @aspect, which is WOVEN. It becomes RETIRING, and LOADED when no task can be in its
 * advice any more. Cannot fail. Returns the number of splices whose original bytes are restored.
 */
u32 wk_aspect_unweave(struct wk_aspect *aspect);

#endif /* WK_ASPECT_LIFE_H */
