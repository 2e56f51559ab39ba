// SPDX-License-Identifier: GPL-2.0-or-later
/* Translates the filter of a request; see filter.h. */
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "filter.h"

#define ALL (WEFT_FILTER_PID | WEFT_FILTER_BELOW | WEFT_FILTER_UID | WEFT_FILTER_COMM)

/*
 * Translates a pid of the caller's pid namespace to the initial one; 0: there is no such process.
 */
static u32 global_pid(u32 number)
{
	struct task_struct *task;
	u32 found = 0;

	rcu_read_lock();
	task = pid_task(find_vpid(number), PIDTYPE_TGID);
	if (task)
		found = task_tgid_nr(task);
	rcu_read_unlock();
	return found;
}

int wk_filter_set(struct weft_aspect *module, const struct weft_filter *filter)
{
	struct wr_filter wanted = { 0 };

	if (filter->asks & ~ALL ||
	    strnlen(filter->comm, sizeof(filter->comm)) == sizeof(filter->comm))
		return -EINVAL;
	if (filter->asks && !(module->header->flags & WEFT_ASPECT_FILTERED))
		return -EOPNOTSUPP;
	if (filter->asks & (WEFT_FILTER_PID | WEFT_FILTER_BELOW)) {
		wanted.pid = global_pid(filter->pid);
		wanted.below = filter->asks & WEFT_FILTER_BELOW;
		if (!wanted.pid)
			return -ESRCH;
	}
	wanted.has_uid = filter->asks & WEFT_FILTER_UID;
	wanted.uid = filter->uid;
	wanted.has_comm = filter->asks & WEFT_FILTER_COMM;
	strscpy(wanted.comm, filter->comm, sizeof(wanted.comm));
	module->filter = wanted;
	return 0;
}
