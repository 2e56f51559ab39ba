/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What trampolines need to know about this kernel: the per-CPU preemption count, which of its bits
 * contain the context, and weft's nesting guard.
 */
#ifndef WK_PLATFORM_H
#define WK_PLATFORM_H

#include <linux/percpu.h>
#include <linux/preempt.h>

#include "runtime/trampoline.h"

/*
 * The nesting guard, which keeps advice from running inside advice. While advice runs on this CPU,
 * its lower half is the preemption count that the advice was entered with; otherwise it is
 * WR_GUARD_IDLE (runtime/trampoline.h). The upper half is for kmod/budget.c.
 */
DECLARE_PER_CPU(long, wk_guard);

/*
 * Takes the nesting guard, as if advice ran here. Until wk_guard_give_back(), to which the caller
 * must pass the value returned here, no advice of this or a lower context runs on this CPU, and
 * such hits count as missed. Preemption must be off all the while.
 */
static __always_inline long wk_guard_take(void)
{
	long before = this_cpu_read(wk_guard);

	this_cpu_write(wk_guard, (u32)preempt_count());
	return before;
}

static __always_inline void wk_guard_give_back(long before)
{
	this_cpu_write(wk_guard, before);
}

/* Constant after wk_platform_init(). */
extern struct wr_platform wk_platform;

/* Fills wk_platform. Call it after wk_unexported_init(). */
void wk_platform_init(void);

#endif /* WK_PLATFORM_H */
