/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plan: the splices that a weave is to make, as user space gave them, and what checking them has
 * found (plan-check.h). Under wk_mutex, may sleep.
 */
#ifndef WK_PLAN_H
#define WK_PLAN_H

#include "runtime/abi.h"

/* What checking an element has found beside its refusal. */
struct wk_found {
	bool sanitize; /* wk_function.sanitize */
	u8 donor;      /* bytes displaced by the springboard's donor; 0: it needs none */
};

struct wk_plan {
	struct weft_splice *splices; /* as copied; .refusal is filled */
	struct wk_found *found;	     /* of each */
	u32 nr, nr_refused;
};

/* Copies it from user space. -EFAULT, -E2BIG, -EINVAL (it is empty), -ENOMEM. */
int wk_plan_init(struct wk_plan *plan, const struct weft_weave *request);
void wk_plan_deinit(struct wk_plan *plan);

/*
 * Keeps a checked plan, so that the weave that follows need not check it again; @plan is empty
 * afterwards. Replaces a plan kept before. Call wk_plan_forget() when @owner, the aspect that it
 * was checked for, goes.
 */
void wk_plan_keep(struct wk_plan *plan, const void *owner);
void wk_plan_forget(void);

/*
 * Returns the plan kept for @owner; NULL if there is none, or splices were added or removed since.
 */
const struct wk_plan *wk_plan_kept(const void *owner);

/* Writes the refusals back to where the splices came from. -EFAULT. */
int wk_plan_report(const struct wk_plan *plan, const struct weft_weave *request);

#endif /* WK_PLAN_H */
