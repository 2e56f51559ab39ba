// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Enables tracepoints; see tracepoints.h. Two probes are registered at each, since the advice's
 * shadow is in the tracepoint's iterator function: since commit d25e37d89dd2 the kernel calls a
 * single probe directly, and only two or more through the iterator (tracepoint_update_call() in
 * kernel/tracepoint.c).
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/compiler.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>

#include "base/lock.h"
#include "part.h"
#include "plan.h"
#include "tracepoints.h"

/*
 * The probe that is registered. It gets the tracepoint's arguments in registers and reads none of
 * them, so one function serves all tracepoints.
 */
static void notrace do_nothing(void *data)
{
}

/*
 * Returns the data of the aspect's probe @i. The kernel identifies a probe by its function and its
 * data: the two probes of an aspect differ in their data.
 */
static void *probe_data(struct wk_tracepoints *tracepoints, unsigned int i)
{
	return (char *)tracepoints + i;
}

struct search {
	const void *iterator;
	struct tracepoint *found;
};

static void compare(struct tracepoint *tracepoint, void *context)
{
	struct search *search = context;

	if (tracepoint->iterator == search->iterator)
		search->found = tracepoint;
}

/*
 * Returns the tracepoint whose iterator function holds the shadow of @joinpoint. NULL: the shadow
 * is not in an iterator function.
 */
static struct tracepoint *find(const struct wk_part *parts, const struct weft_joinpoint *joinpoint)
{
	const unsigned long shadow = wk_part_address(parts, joinpoint);
	struct search search = { .iterator = (void *)(shadow - joinpoint->symbol_offset) };

	for_each_kernel_tracepoint(compare, &search);
	return search.found;
}

static bool is_enabled(const struct wk_tracepoints *tracepoints,
		       const struct tracepoint *tracepoint)
{
	for (u32 i = 0; i < tracepoints->nr; i++)
		if (tracepoints->enabled[i] == tracepoint)
			return true;
	return false;
}

static int enable(struct wk_tracepoints *tracepoints, struct tracepoint *tracepoint)
{
	int ret = tracepoint_probe_register(tracepoint, do_nothing, probe_data(tracepoints, 0));

	if (ret)
		return ret;
	ret = tracepoint_probe_register(tracepoint, do_nothing, probe_data(tracepoints, 1));
	if (ret)
		tracepoint_probe_unregister(tracepoint, do_nothing, probe_data(tracepoints, 0));
	else
		tracepoints->enabled[tracepoints->nr++] = tracepoint;
	return ret;
}

int wk_tracepoints_enable(struct wk_tracepoints *tracepoints, const struct wk_part *parts,
			  const struct weft_joinpoint *joinpoints, const struct wk_plan *plan)
{
	u32 most = 0;
	int ret = 0;

	wk_assert_locked();
	for (u32 i = 0; i < plan->nr; i++)
		most += !!joinpoints[plan->splices[i].joinpoint].tracepoint;
	if (!most)
		return 0;
	tracepoints->enabled = kvcalloc(most, sizeof(*tracepoints->enabled), GFP_KERNEL);
	if (!tracepoints->enabled)
		return -ENOMEM;
	for (u32 i = 0; i < plan->nr && !ret; i++) {
		const struct weft_joinpoint *joinpoint = &joinpoints[plan->splices[i].joinpoint];
		struct tracepoint *tracepoint;

		if (!joinpoint->tracepoint)
			continue;
		tracepoint = find(parts, joinpoint);
		if (!tracepoint)
			ret = -ENOENT;
		else if (!is_enabled(tracepoints, tracepoint))
			ret = enable(tracepoints, tracepoint);
	}
	if (ret) {
		pr_err("a tracepoint cannot be enabled: %d\n", ret);
		wk_tracepoints_disable(tracepoints);
	}
	return ret;
}

void wk_tracepoints_disable(struct wk_tracepoints *tracepoints)
{
	wk_assert_locked();
	while (tracepoints->nr) {
		struct tracepoint *tracepoint = tracepoints->enabled[--tracepoints->nr];

		/*
		 * Unregistering a probe cannot fail: if memory is short, the kernel replaces the
		 * probe by an empty function instead of removing it from the array of probes.
		 */
		for (unsigned int i = 0; i < 2; i++)
			tracepoint_probe_unregister(tracepoint, do_nothing,
						    probe_data(tracepoints, i));
	}
	kvfree(tracepoints->enabled);
	tracepoints->enabled = NULL;
}

void wk_tracepoints_deinit(void)
{
	tracepoint_synchronize_unregister();
}
