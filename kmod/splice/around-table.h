/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Around-advice of an aspect's module (runtime/around.h has what runs at a hit). */
#ifndef WK_AROUND_TABLE_H
#define WK_AROUND_TABLE_H

#include <linux/types.h>

#include "runtime/advice.h"

/* The module's element for @joinpoint, which is in the module's table; NULL: there is none. */
static inline struct weft_around *wk_around_find(const struct weft_aspect *module,
						 const struct weft_joinpoint *joinpoint)
{
	const u32 index = joinpoint - module->joinpoints;
	u32 least = 0, end = module->nr_arounds;

	while (least < end) {
		u32 middle = least + (end - least) / 2;

		if (module->arounds[middle].joinpoint < index)
			least = middle + 1;
		else
			end = middle;
	}
	return least < module->nr_arounds && module->arounds[least].joinpoint == index
		       ? &module->arounds[least]
		       : NULL;
}

/*
 * Returns how many executions of the module's around-advice have begun and not ended. 0 means that
 * all have ended only if no text leads to the advice any more, and every task that was on its way
 * there has arrived (grace.h). Even then a task may still be at the end of a function in the
 * module's text, about to return to its caller.
 */
static inline unsigned long wk_around_inside(const struct weft_aspect *module)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(module->stats, cpu)->inside);
	return sum;
}

#endif /* WK_AROUND_TABLE_H */
