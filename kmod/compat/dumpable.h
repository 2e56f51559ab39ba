/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is a task dumpable, as prctl() calls it: may the task's user look into its memory? */
#ifndef WK_DUMPABLE_H
#define WK_DUMPABLE_H

#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#ifdef WK_HAS_EXEC_STATE
#include <linux/sched/exec_state.h>
#endif

/*
 * Returns a byte that changes whenever @task, the current task, becomes dumpable or ceases to be.
 * Newer kernels have struct task_exec_state for that. In older ones the byte is in the flags of the
 * struct mm_struct that the task uses; a kernel thread borrows one.
 */
static __always_inline u8 wk_dumpable_byte(const struct task_struct *task)
{
#ifdef WK_HAS_EXEC_STATE
	return *(const u8 *)&((const struct task_exec_state *)task->exec_state)->dumpable;
#else
	const struct mm_struct *mm = READ_ONCE(task->active_mm);

	/* NULL: a kernel thread that is being switched out has given its mm_struct back. */
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
