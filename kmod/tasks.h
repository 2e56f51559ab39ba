/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state that an aspect's advice keeps of tasks, kernel side: allocates its memory, and releases
 * a task's entry when the task exits. Advice finds and claims entries by itself
 * (runtime/task-table.h). All under wk_mutex, process context, may sleep.
 */
#ifndef WK_TASKS_H
#define WK_TASKS_H

#include <linux/types.h>

#include "runtime/advice.h"

struct wk_tasks {
	struct wr_tasks table;
	u32 bits, size; /* size 0: the aspect keeps none */
	bool watching;	/* for tasks that exit */
};

/* Makes memory for what @module wants to keep, and hands it out. -ENOMEM, -EINVAL. */
int wk_tasks_init(struct wk_tasks *tasks, struct weft_aspect *module);
void wk_tasks_deinit(struct wk_tasks *tasks);

/*
 * Start: before the first hit of a weave; clears the state of all tasks. -EOPNOTSUPP. Stop: when no
 * task can be in advice any more.
 */
int wk_tasks_start(struct wk_tasks *tasks);
void wk_tasks_stop(struct wk_tasks *tasks);

/* Number of tasks with live state, and of slots. */
u32 wk_tasks_used(const struct wk_tasks *tasks);
u32 wk_tasks_room(const struct wk_tasks *tasks);

#endif /* WK_TASKS_H */
