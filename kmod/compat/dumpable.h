/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a task's user may look into the task: what prctl() calls dumpable. */
#ifndef WK_DUMPABLE_H
#define WK_DUMPABLE_H

#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#ifdef WK_HAS_EXEC_STATE
#include <linux/sched/exec_state.h>
#endif

/*
 * A byte that changes whenever @task, the current one, becomes dumpable or ceases to be. It was in
 * the flags of the memory, which a task without memory of its own borrows; newer kernels have a
 * struct for it.
 */
static __always_inline u8 wk_dumpable_byte(const struct task_struct *task)
{
#ifdef WK_HAS_EXEC_STATE
	return *(const u8 *)&((const struct task_exec_state *)task->exec_state)->dumpable;
#else
	const struct mm_struct *mm = READ_ONCE(task->active_mm);

	/* A kernel thread has given its borrowed memory back before it is switched out. */
	return likely(mm) ? *(const u8 *)&mm->flags : 0;
#endif
}

/* May users look into a task whose wk_dumpable_byte() is @byte? */
static inline bool wk_is_dumpable(u8 byte)
{
#ifdef WK_HAS_EXEC_STATE
	return byte == TASK_DUMPABLE_OWNER;
#else
	return (byte & MMF_DUMPABLE_MASK) == SUID_DUMP_USER;
#endif
}

#endif /* WK_DUMPABLE_H */
