// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The memory that an aspect's advice keeps for each task; see tasks.h. A task's entry is released
 * at the tracepoint sched_process_free, right before the kernel frees the task's task_struct. By
 * then the task has long stopped running, and no other task can have the same address yet. The
 * tracepoint sched_process_exit would be too early: the task still runs after it, so advice might
 * allocate an entry for the task again.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "base/table-memory.h"
#include "tasks.h"
#include "metrics/tracepoint.h"
#include "base/lock.h"

/* Upper bounds; a module that exceeds one of them is refused. SIZE_MAX_OF_TASK is in bytes. */
enum { BITS_MAX = 15, SIZE_MAX_OF_TASK = 1024 };

static u32 nr_slots(const struct wk_tasks *tasks)
{
	return WR_TASK_WAYS << tasks->bits;
}

int wk_tasks_init(struct wk_tasks *tasks, struct weft_aspect *module)
{
	memset(tasks, 0, sizeof(*tasks));
	if (!module->task_size)
		return 0;
	if (!module->task_bits || module->task_bits > BITS_MAX ||
	    module->task_size > SIZE_MAX_OF_TASK) {
		pr_err("%s: the state of a task has %u bytes, for 2^%u tasks: at most %u and 2^%u "
		       "are possible\n",
		       module->module->name, module->task_size, module->task_bits, SIZE_MAX_OF_TASK,
		       BITS_MAX);
		return -EINVAL;
	}
	tasks->bits = module->task_bits;
	tasks->size = module->task_size;
	tasks->table.keys = wk_table_create(&tasks->memory, nr_slots(tasks), sizeof(u64));
	tasks->table.data = wk_table_create(&tasks->memory, nr_slots(tasks), tasks->size);
	if (!tasks->table.keys || !tasks->table.data) {
		wk_tasks_deinit(tasks);
		return -ENOMEM;
	}
	module->tasks = tasks->table;
	return 0;
}

void wk_tasks_deinit(struct wk_tasks *tasks)
{
	kvfree(tasks->table.keys);
	kvfree(tasks->table.data);
	wk_account_close(&tasks->memory);
	memset(tasks, 0, sizeof(*tasks));
}

static void notrace on_free(void *data, struct task_struct *task)
{
	const struct wk_tasks *tasks = data;

	wr_task_leave(&tasks->table, tasks->bits, tasks->size, (unsigned long)task);
}

int wk_tasks_start(struct wk_tasks *tasks)
{
	struct tracepoint *tracepoint;
	int ret;

	wk_assert_locked();
	if (!tasks->size)
		return 0;
	tracepoint = wk_tracepoint_find("sched_process_free");
	if (!tracepoint) {
		pr_err("state of tasks needs the tracepoint sched_process_free, which this kernel "
		       "does not have\n");
		return -EOPNOTSUPP;
	}
	memset(tasks->table.data, 0, (size_t)nr_slots(tasks) * tasks->size);
	memset(tasks->table.keys, 0, nr_slots(tasks) * sizeof(u64));
	ret = tracepoint_probe_register(tracepoint, on_free, tasks);
	tasks->watching = !ret;
	return ret;
}

void wk_tasks_stop(struct wk_tasks *tasks)
{
	wk_assert_locked();
	if (!tasks->watching)
		return;
	tracepoint_probe_unregister(wk_tracepoint_find("sched_process_free"), on_free, tasks);
	tracepoint_synchronize_unregister();
	tasks->watching = false;
}

u32 wk_tasks_used(const struct wk_tasks *tasks)
{
	u32 n = 0;

	for (u32 slot = 0; tasks->size && slot < nr_slots(tasks); slot++)
		n += wr_task_key_at(&tasks->table, slot) != 0;
	return n;
}

u32 wk_tasks_room(const struct wk_tasks *tasks)
{
	return tasks->size ? nr_slots(tasks) : 0;
}
