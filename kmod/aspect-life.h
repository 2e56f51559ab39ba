/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What begins with a weave of an aspect and ends with it, around the splices themselves (weave.h):
 * its filter, metrics, memory of tasks, time, the author's start and end blocks, and that its
 * module stays. Process context, may sleep; under wk_mutex.
 */
#ifndef WK_ASPECT_LIFE_H
#define WK_ASPECT_LIFE_H

#include "runtime/abi.h"

struct file;
struct wk_aspect;
struct wk_plan;

/*
 * Weaves @aspect, which is LOADED and whose timing is prepared, by a plan without refusals. @file:
 * what it is bound to, where the request says so. All or nothing. -ENOENT: its module is going;
 * -ECANCELED: its start block returned what is in @request then; and whatever wk_filter_set(),
 * wk_metrics_start(), wk_tasks_start() and wk_weave() return.
 */
int wk_aspect_weave(struct wk_aspect *aspect, struct wk_plan *plan, struct file *file,
		    struct weft_weave *request);

/*
 * Unweaves @aspect, which is WOVEN. It is RETIRING then, and LOADED once nobody can be in its
 * advice any more. Cannot fail. Returns the splices whose bytes are back.
 */
u32 wk_aspect_unweave(struct wk_aspect *aspect);

#endif /* WK_ASPECT_LIFE_H */
