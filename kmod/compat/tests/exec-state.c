// SPDX-License-Identifier: GPL-2.0-or-later
/* Is whether a task is dumpable in a struct of its own, instead of in the flags of its memory? */
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>

int exec_state_(struct task_struct *task);

int exec_state_(struct task_struct *task)
{
	return task->exec_state ? TASK_DUMPABLE_OWNER : 0;
}
