// SPDX-License-Identifier: GPL-2.0-or-later
/* Allocates inline counters, first near ones, then far ones; see counts.h. */
#include <linux/bitmap.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>

#include "metrics/counts.h"

enum { NEAR = 256 }; /* 2 KiB of the 8 KiB that the kernel reserves for all modules */

static DEFINE_PER_CPU(u64, near[NEAR]);
static DECLARE_BITMAP(taken, NEAR);

static bool is_near(const u64 __percpu *count)
{
	return count >= &near[0] && count < &near[NEAR];
}

/*
 * Takes a near counter that is free; NULL: none was found. Callers may race: the one that sets a
 * counter's bit owns the counter. Each bit is looked at once. If a counter becomes free after the
 * search has passed it, the search may fail all the same; the caller then uses a far counter
 * instead.
 */
static u64 __percpu *take_near(void)
{
	unsigned long free;

	for_each_clear_bit(free, taken, NEAR)
		if (!test_and_set_bit(free, taken))
			return &near[free];
	return NULL;
}

u64 __percpu *wk_count_create(void)
{
	u64 __percpu *count = take_near();
	int cpu;

	if (!count)
		return alloc_percpu(u64);
	for_each_possible_cpu(cpu)
		*per_cpu_ptr(count, cpu) = 0;
	return count;
}

void wk_count_destroy(u64 __percpu *count)
{
	if (!is_near(count))
		free_percpu(count);
	else
		clear_bit(count - &near[0], taken);
}
