/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time in which tasks are switched out, for pairs that stop their clock meanwhile: a probe on
 * the kernel's own tracepoint of switches, there only while an aspect that needs it is woven.
 */
#ifndef WK_SCHED_SWITCH_H
#define WK_SCHED_SWITCH_H

#include "runtime/advice.h"

/* Pairs of one metric whose clock stops while their task is switched out (struct wr_pairs.away). */
struct wk_switched {
	struct wk_switched *next;
	const struct wr_pairs *pairs;
};

/* The pairs of one aspect, with their clock. Constant while they are watched. */
struct wk_switches {
	struct wk_switched *first; /* NULL: there are none, and nothing is watched */
	const struct wr_clock *clock;
};

/* -EOPNOTSUPP: this kernel has no tracepoints. Process context, may sleep. */
int wk_sched_switch_watch(struct wk_switches *switches);
/* After this returns, the probe does not use @switches any more. */
void wk_sched_switch_unwatch(struct wk_switches *switches);

#endif /* WK_SCHED_SWITCH_H */
