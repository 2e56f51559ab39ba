/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits the processor time of advice. Advice that runs for longer at a hit than its aspect's
 * budget is left, as if it had faulted (splice/leave.h). An aspect whose advice takes more than its
 * share of a CPU is disabled. Both are noted as faults (fault.h), and the aspect is unwoven.
 *
 * Nothing is measured at a hit: ticks (splice/ticks.h) find the advice that is running. Advice in
 * an NMI is never found. Advice that runs with interrupts off is not counted for the share, and can
 * be left only if another CPU is online.
 */
#ifndef WK_BUDGET_H
#define WK_BUDGET_H

#include <linux/list.h>
#include <linux/types.h>

#include "runtime/abi.h"

struct weft_aspect;
struct wk_share;

struct wk_budget {
	struct list_head woven; /* on the list of budgets that are watched, or empty */
	u64 limit;		/* the budget in nanoseconds; 0: no limit */
	u64 share;		/* nanoseconds per second, on each CPU; 0: no limit */
	/* what ticks have counted on each CPU; NULL: neither limit is watched */
	struct wk_share __percpu *used;
};

/* Checks the limits in @request and in @module. -EINVAL: one of them is out of bounds. */
int wk_budget_check(const struct weft_aspect *module, const struct weft_weave *request);

/*
 * Called where wk_fault_begin() and wk_fault_end() are: at the beginning of a weave and at the end
 * of its retirement. A limit that @request does not set is that of @module, or else the default of
 * weft.ko's parameters. Under wk_mutex; may sleep. -ENOMEM.
 */
int wk_budget_begin(struct wk_budget *budget, const struct weft_aspect *module,
		    const struct weft_weave *request);
void wk_budget_end(struct wk_budget *budget);

/* Stores the limits of the last weave in @status. */
void wk_budget_status(const struct wk_budget *budget, struct weft_status *status);

int wk_budget_init(void);
void wk_budget_deinit(void);

#endif /* WK_BUDGET_H */
