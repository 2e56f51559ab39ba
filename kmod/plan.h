/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plan: the splices that user space asks for in one weave, or those that weft.ko itself has
 * chosen for a module that is being loaded (part-plan.h); and the results of checking them
 * (plan-check.h). Under wk_mutex, may sleep.
 */
#ifndef WK_PLAN_H
#define WK_PLAN_H

#include "runtime/abi.h"

struct module;

/* The result of checking one element of a plan, besides its refusal. */
struct wk_found {
	bool sanitize; /* wk_function.sanitize of the function that holds the splice */
	u8 donor;      /* of a springboard: length of its donor's displaced range; 0: no donor */
};

struct wk_plan {
	struct weft_splice *splices; /* checking fills .refusal */
	struct wk_found *found;	     /* one for each of @splices */
	u32 nr, nr_refused;
	/* an element had a refusal before it was checked: those in user space may be wrong */
	bool stale;
	/* the module that is being loaded and that the plan is for, or NULL */
	const struct module *module;
};

/*
 * Copies the plan of @request from user space. Returns 0, or one of these:
 * -EFAULT: the plan is not in the caller's memory
 * -E2BIG: it has more than WEFT_PLAN_MAX elements
 * -ENOMEM: memory is short
 */
int wk_plan_init(struct wk_plan *plan, const struct weft_weave *request);
void wk_plan_deinit(struct wk_plan *plan);

/*
 * The refusals of a plan that have to be written to the elements in user space. As a rule these are
 * few, so they are noted and written one by one. All zero: there are none.
 */
struct wk_refusals {
	struct weft_splice __user *splices;
	struct wk_refused {
		u32 index; /* of the element in the plan */
		u32 refusal; /* enum weft_refusal */
	} *all; /* array of ->nr elements */
	u32 nr;
};

/* Notes in @refusals those of @plan, which came with @request. Returns 0 or -ENOMEM. */
int wk_refusals_note(struct wk_refusals *refusals, const struct wk_plan *plan,
		     const struct weft_weave *request);
/* Writes the refusals to user space. Called without wk_mutex. Returns 0 or -EFAULT. */
int wk_refusals_copy(const struct wk_refusals *refusals);
void wk_refusals_deinit(struct wk_refusals *refusals);

/*
 * Keeps @plan, which was checked for @owner (an aspect), so that the weave that follows need not
 * check it again. Takes over the contents of @plan, which is empty afterwards, and frees the plan
 * that was kept before. wk_plan_forget() must be called before @owner is freed.
 */
void wk_plan_keep(struct wk_plan *plan, const void *owner);
void wk_plan_forget(void);

/*
 * Returns the plan kept for @owner; NULL if there is none, or splices were added or removed since.
 */
const struct wk_plan *wk_plan_kept(const void *owner);

#endif /* WK_PLAN_H */
