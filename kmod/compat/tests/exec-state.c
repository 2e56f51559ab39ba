// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Has the kernel struct task_exec_state, which says whether a task is dumpable? In older kernels
 * the flags of struct mm_struct say it.
 */
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>

int exec_state_(struct task_struct *task);

int exec_state_(struct task_struct *task)
{
	return task->exec_state ? TASK_DUMPABLE_OWNER : 0;
}
