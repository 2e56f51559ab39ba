// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes how many bytes of the current stack are left. runtime/advice.h says why advice asks. */
#include <linux/export.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/stacktrace.h>

#include "base/unexported.h"
#include "runtime/advice.h"

/*
 * Returns how many bytes are left of a stack that is not the task's own: that of interrupts,
 * softirqs, NMIs or exceptions. A function of the kernel finds the bounds of the stack. 0: unknown.
 */
static unsigned long other_stack_left(unsigned long sp)
{
	struct stack_info info;

	if (!wk_has(get_stack_info_noinstr) ||
	    !wk_call(get_stack_info_noinstr)((unsigned long *)sp, current, &info))
		return 0;
	return sp - (unsigned long)info.begin;
}

notrace unsigned long weft_stack_left(void)
{
	unsigned long sp = current_stack_pointer;
	unsigned long left = sp - (unsigned long)task_stack_page(current);

	return left < THREAD_SIZE ? left : other_stack_left(sp);
}
EXPORT_SYMBOL_GPL(weft_stack_left);
