// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copies plans from user space, and keeps the plan that was checked last; see plan.h. plan-check.c
 * checks plans.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "base/table-memory.h"
#include "plan.h"
#include "splice/splice.h"
#include "base/lock.h"

/* The plan that was checked last, for the weave that usually follows. */
static struct {
	const void *owner; /* the aspect that the plan is for; NULL: nothing is kept */
	u64 generation;	   /* wk_splice_generation() when the plan was kept */
	struct wk_plan plan;
} kept;

void wk_plan_forget(void)
{
	wk_assert_locked();
	if (kept.owner)
		wk_plan_deinit(&kept.plan);
	kept.owner = NULL;
}

void wk_plan_keep(struct wk_plan *plan, const void *owner)
{
	wk_assert_locked();
	wk_plan_forget();
	kept.owner = owner;
	kept.generation = wk_splice_generation();
	kept.plan = *plan;
	memset(plan, 0, sizeof(*plan));
}

const struct wk_plan *wk_plan_kept(const void *owner)
{
	wk_assert_locked();
	return kept.owner == owner && kept.generation == wk_splice_generation() ? &kept.plan : NULL;
}

int wk_plan_init(struct wk_plan *plan, const struct weft_weave *request)
{
	int ret = -ENOMEM;

	memset(plan, 0, sizeof(*plan));
	if (!request->nr_splices)
		return 0;
	if (request->nr_splices > WEFT_PLAN_MAX)
		return -E2BIG;
	plan->nr = request->nr_splices;
	plan->splices = kvmalloc_array(plan->nr, sizeof(*plan->splices), WK_GFP_REQUEST);
	plan->found = kvcalloc(plan->nr, sizeof(*plan->found), WK_GFP_REQUEST);
	if (!plan->splices || !plan->found)
		goto err_free;
	ret = -EFAULT;
	if (copy_from_user(plan->splices, u64_to_user_ptr(request->splices),
			   plan->nr * sizeof(*plan->splices)))
		goto err_free;
	return 0;

err_free:
	wk_plan_deinit(plan);
	return ret;
}

void wk_plan_deinit(struct wk_plan *plan)
{
	kvfree(plan->splices);
	kvfree(plan->found);
	plan->splices = NULL;
	plan->found = NULL;
}

int wk_refusals_note(struct wk_refusals *refusals, const struct wk_plan *plan,
		     const struct weft_weave *request)
{
	const u32 n = plan->stale ? plan->nr : plan->nr_refused;

	refusals->splices = u64_to_user_ptr(request->splices);
	refusals->all = kvmalloc_array(n, sizeof(*refusals->all), WK_GFP_REQUEST);
	if (!refusals->all)
		return -ENOMEM;
	for (u32 i = 0; i < plan->nr && refusals->nr < n; i++) {
		const u32 refusal = plan->splices[i].refusal;

		if (refusal || plan->stale)
			refusals->all[refusals->nr++] = (struct wk_refused){ i, refusal };
	}
	return 0;
}

int wk_refusals_copy(const struct wk_refusals *refusals)
{
	for (u32 i = 0; i < refusals->nr; i++) {
		const struct wk_refused *refused = &refusals->all[i];

		if (put_user(refused->refusal, &refusals->splices[refused->index].refusal))
			return -EFAULT;
		cond_resched();
	}
	return 0;
}

void wk_refusals_deinit(struct wk_refusals *refusals)
{
	kvfree(refusals->all);
}
