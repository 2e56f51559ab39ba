/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits the processor time of advice. Advice that runs at one hit for longer than its aspect's
 * budget is ended there, as if it had faulted (splice/leave.h). An aspect whose advice takes more
 * than its share of a CPU is disabled. In both cases a fault is noted (fault.h), and the aspect is
 * unwoven.
 *
 * Nothing is measured at a hit: ticks (splice/ticks.h), which interrupt each CPU regularly, find
 * the advice that is running. So advice in an NMI is never found, nor is around-advice that runs
 * with interrupts off: only a CPU whose nesting guard is taken gets NMIs. Other advice that runs
 * with interrupts off is not counted for the share, and can be ended only if another CPU is online.
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
 * wk_budget_begin() is called at the beginning of a weave, and wk_budget_end() at the end of its
 * retirement, as wk_fault_begin() and wk_fault_end() are. A limit that @request does not set is
 * taken from @module, or else from weft.ko's parameters. Under wk_mutex; may sleep.
 * -ENOMEM: memory is short
 */
int wk_budget_begin(struct wk_budget *budget, const struct weft_aspect *module,
		    const struct weft_weave *request);
void wk_budget_end(struct wk_budget *budget);

/* Stores the limits of the last weave in @status. */
void wk_budget_status(const struct wk_budget *budget, struct weft_status *status);

int wk_budget_init(void);
void wk_budget_deinit(void);

#endif /* WK_BUDGET_H */
