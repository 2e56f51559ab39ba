/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time in which tasks are switched out, for pairs that stop their clock meanwhile: a probe on the kernel's own tracepoint
 * of switches, there only while an aspect that needs it is woven.
 */
#ifndef WK_SCHED_SWITCH_H
#define WK_SCHED_SWITCH_H

struct wk_metrics;

/* -EOPNOTSUPP: this kernel has no tracepoints. Process context, may sleep. */
int wk_sched_switch_watch(struct wk_metrics *metrics);
/* Afterwards nobody looks at @metrics any more. */
void wk_sched_switch_unwatch(struct wk_metrics *metrics);

#endif /* WK_SCHED_SWITCH_H */
