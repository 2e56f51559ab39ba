/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What advice may take of the processor. Advice that runs for longer than its aspect's budget is
 * left, as if it had faulted (splice/leave.h). An aspect whose advice takes more than its share of
 * a CPU is disabled. Both are noted as faults (fault.h), and the aspect is unwoven.
 *
 * Nothing is measured at a hit: ticks (splice/ticks.h) see which advice runs. What runs in an NMI
 * is never seen; what runs with interrupts off is not counted for the share, and can be left only
 * where another CPU is online.
 */
#ifndef WK_BUDGET_H
#define WK_BUDGET_H

#include <linux/list.h>
#include <linux/types.h>

#include "runtime/abi.h"

struct weft_aspect;
struct wk_share;

struct wk_budget {
	struct list_head woven; /* on the list of those that are watched; else empty */
	u64 limit;		/* nanoseconds; 0: none */
	u64 share;		/* nanoseconds of a second of each CPU; 0: no limit */
	struct wk_share __percpu *used; /* NULL: nothing is watched */
};

/* -EINVAL: what @request or the module says is out of bounds. Changes nothing. */
int wk_budget_check(const struct weft_aspect *module, const struct weft_weave *request);

/*
 * Around a weave and its retirement, as wk_fault_begin() and wk_fault_end(). What @request leaves
 * open is as @module says, or else weft.ko's default. Under wk_mutex; may sleep. -ENOMEM.
 */
int wk_budget_begin(struct wk_budget *budget, const struct weft_aspect *module,
		    const struct weft_weave *request);
void wk_budget_end(struct wk_budget *budget);

/* Says what is limited, since the last weave began. */
void wk_budget_status(const struct wk_budget *budget, struct weft_status *status);

int wk_budget_init(void);
void wk_budget_deinit(void);

#endif /* WK_BUDGET_H */
