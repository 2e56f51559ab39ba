/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state that an aspect's advice keeps for each task, kernel side: allocates the table, and
 * releases a task's entry when the task is freed. Advice itself finds entries, and takes free ones
 * (runtime/task-table.h). Process context, may sleep; under wk_mutex, except for wk_tasks_init()
 * and wk_tasks_deinit() of an aspect that is not registered yet.
 */
#ifndef WK_TASKS_H
#define WK_TASKS_H

#include <linux/types.h>

#include "base/table-memory.h"
#include "runtime/advice.h"

struct wk_tasks {
	struct wr_tasks table;
	/* as weft_aspect.task_bits, .task_size; size 0: the aspect keeps no state */
	u32 bits, size;
	bool watching;	/* the tracepoint's probe is registered */
	struct wk_account memory;
};

/*
 * Allocates the table that @module asks for and stores its address in module->tasks. -ENOMEM:
 * memory is short. -EINVAL: the module asks for too large a table.
 */
int wk_tasks_init(struct wk_tasks *tasks, struct weft_aspect *module);
void wk_tasks_deinit(struct wk_tasks *tasks);

/*
 * wk_tasks_start() is called before the first hit of a weave, and clears the state of all tasks.
 * wk_tasks_stop() is called when no task can be in advice any more. wk_tasks_start() returns 0, an
 * error of tracepoint_probe_register(), or:
 * -EOPNOTSUPP: this kernel has no tracepoint sched_process_free
 */
int wk_tasks_start(struct wk_tasks *tasks);
void wk_tasks_stop(struct wk_tasks *tasks);

/* The number of tasks that have an entry, and the number of entries that the table has room for. */
u32 wk_tasks_used(const struct wk_tasks *tasks);
u32 wk_tasks_room(const struct wk_tasks *tasks);

#endif /* WK_TASKS_H */
