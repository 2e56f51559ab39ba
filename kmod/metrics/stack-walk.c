// SPDX-License-Identifier: GPL-2.0-or-later
/* The rare steps of weft's walk over a stack; see stack-walk.h. */
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <asm/stacktrace.h>

#include "base/unexported.h"
#include "metrics/stack-walk.h"

DEFINE_PER_CPU(unsigned long, wk_interrupt_stack_end);

notrace unsigned long wk_find_stack(unsigned long sp, unsigned long *begin)
{
	struct stack_info info;

	*begin = (unsigned long)task_stack_page(current);
	if (sp - *begin < THREAD_SIZE)
		return *begin + THREAD_SIZE;
	if (!wk_has(get_stack_info_noinstr) ||
	    !wk_call(get_stack_info_noinstr)((unsigned long *)sp, current, &info))
		return 0;
	*begin = (unsigned long)info.begin;
	if (info.type == STACK_TYPE_IRQ && info.end - info.begin == THREAD_SIZE / sizeof(long))
		this_cpu_write(wk_interrupt_stack_end, (unsigned long)info.end);
	return (unsigned long)info.end;
}

notrace bool wk_change_stack(struct wk_walk *walk, long distance, long saved)
{
	unsigned long begin, sp;

	if (walk->sp + sizeof(long) > walk->end)
		return false;
	sp = wk_word_at(walk->sp) + distance;
	walk->end = wk_find_stack(sp - sizeof(long), &begin);
	if (!walk->end || sp - begin < (saved ? -saved : sizeof(long)))
		return false;
	walk->sp = sp;
	if (saved)
		walk->saved_at = sp + saved;
	walk->ip = walk->key = wk_word_at(sp - sizeof(long));
	return true;
}

notrace bool wk_interrupted(struct wk_walk *walk, unsigned long at)
{
	const struct pt_regs *regs = (const struct pt_regs *)at;
	const unsigned long sp = wk_word_at((unsigned long)&regs->sp);
	unsigned long begin;

	if (sp <= walk->sp || sp > walk->end)
		walk->end = wk_find_stack(sp, &begin);
	walk->sp = sp;
	walk->saved_at = (unsigned long)&regs->bp;
	walk->ip = wk_word_at((unsigned long)&regs->ip);
	walk->key = walk->ip + 1;
	return walk->end;
}

notrace bool wk_kernel_interrupted(struct wk_walk *walk, long distance)
{
	const unsigned long at = walk->sp + distance;

	return at + sizeof(struct pt_regs) <= walk->end &&
	       !(wk_word_at(at + offsetof(struct pt_regs, cs)) & 3) && wk_interrupted(walk, at);
}

notrace bool wk_leave_aligned(struct wk_walk *walk, long distance)
{
	const unsigned long bp = wk_word_at(walk->saved_at);
	unsigned long sp;

	if (bp + distance < walk->sp || bp < walk->sp || bp > walk->end - sizeof(long))
		return false;
	sp = wk_word_at(bp + distance);
	if (sp <= bp + sizeof(long) || sp > walk->end)
		return false;
	walk->sp = sp;
	walk->saved_at = bp;
	walk->ip = walk->key = wk_word_at(sp - sizeof(long));
	return true;
}
