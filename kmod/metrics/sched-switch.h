/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the time in which tasks are switched out, for pairs whose clock stops meanwhile. It is a
 * probe on the kernel's tracepoint sched_switch, registered only while an aspect that needs it is
 * woven.
 */
#ifndef WK_SCHED_SWITCH_H
#define WK_SCHED_SWITCH_H

#include "runtime/advice.h"

/* Pairs of one metric whose clock stops while their task is switched out (struct wr_pairs.away). */
struct wk_switched {
	struct wk_switched *next;
	const struct wr_pairs *pairs;
};

/*
 * All pairs of one aspect whose clock stops, with that clock. Constant while the probe is
 * registered.
 */
struct wk_switches {
	struct wk_switched *first; /* NULL: there are none, and no probe is registered */
	const struct wr_clock *clock;
};

/*
 * Registers the probe, if @switches has pairs. Returns 0, an error of tracepoint_probe_register(),
 * or -EOPNOTSUPP: this kernel has no tracepoint sched_switch. Process context, may sleep.
 */
int wk_sched_switch_watch(struct wk_switches *switches);
/* Unregisters the probe and waits until no CPU is in it. May sleep. */
void wk_sched_switch_unwatch(struct wk_switches *switches);

#endif /* WK_SCHED_SWITCH_H */
