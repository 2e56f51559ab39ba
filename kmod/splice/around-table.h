/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Around-advice of an aspect's module (runtime/around.h has what runs at a hit). */
#ifndef WK_AROUND_TABLE_H
#define WK_AROUND_TABLE_H

#include <linux/bsearch.h>
#include <linux/types.h>

#include "runtime/advice.h"

static inline int wk_around_compare(const void *index, const void *around)
{
	const u32 left = *(const u32 *)index;
	const u32 right = ((const struct weft_around *)around)->joinpoint;

	return left < right ? -1 : left > right;
}

/*
 * Returns the element of @module->arounds for @joinpoint, which must be in @module->joinpoints.
 * NULL: its advice is not around-advice.
 */
static inline struct weft_around *wk_around_find(const struct weft_aspect *module,
						 const struct weft_joinpoint *joinpoint)
{
	const u32 index = joinpoint - module->joinpoints;

	return bsearch(&index, module->arounds, module->nr_arounds, sizeof(*module->arounds),
		       wk_around_compare);
}

/*
 * Returns how many executions of the module's around-advice have begun and not ended. 0 means that
 * all have ended only if no text leads to the advice any more, and every task that was on its way
 * there has arrived (grace.h). Even then a task may still be at the end of a function in the
 * module's text, about to return to its caller.
 */
static inline unsigned long wk_around_inside(const struct weft_aspect *module)
{
	unsigned long ended = 0, begun = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		ended += READ_ONCE(per_cpu_ptr(module->stats, cpu)->ended);
	smp_rmb(); /* ended first: each execution counted there is counted as begun below */
	for_each_possible_cpu(cpu)
		begun += READ_ONCE(per_cpu_ptr(module->stats, cpu)->begun);
	return begun - ended;
}

#endif /* WK_AROUND_TABLE_H */
