/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plan on its way in: copied from user space, checked splice by splice against the live kernel
 * and the aspect's own table. Nothing here changes anything. Under wk_mutex, may sleep.
 */
#ifndef WK_PLAN_H
#define WK_PLAN_H

#include "runtime/abi.h"

struct wk_aspect;

/* What checking an element has found beside its refusal. */
struct wk_found {
	bool sanitize; /* wk_function.careful */
	u8 donor;      /* bytes of the springboard's donor; 0: it needs none */
};

struct wk_plan {
	struct weft_splice *splices; /* as copied; .refusal is filled */
	struct wk_found *found;	     /* of each */
	u32 nr, nr_refused;
};

/*
 * Copies and checks. 0 even when splices are refused; -EFAULT, -E2BIG, -ENOMEM, -EINTR (a fatal
 * signal).
 */
int wk_plan_init(struct wk_plan *plan, const struct weft_weave *request,
		 const struct wk_aspect *aspect);
void wk_plan_deinit(struct wk_plan *plan);

/*
 * Keeps a checked plan, which is empty then, so that the weave that follows need not check it again; until wk_plan_forget(), which is
 * due when the aspect goes. Replaces the one before.
 */
void wk_plan_keep(struct wk_plan *plan, const struct wk_aspect *aspect);
void wk_plan_forget(void);

/* Writes the refusals back to where the splices came from. -EFAULT. */
int wk_plan_report(const struct wk_plan *plan, const struct weft_weave *request);

#endif /* WK_PLAN_H */
