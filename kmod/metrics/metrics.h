/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of an aspect, kernel side: memory for what its advice counts, and readers' requests. Advice writes by itself
 * (runtime/metric-table.h); nothing here is on the way of a hit. All under wk_mutex, process context, may sleep.
 *
 * Numbers only grow while the aspect lives. A reset remembers what they were, which no CPU has to be stopped for.
 */
#ifndef WK_METRICS_H
#define WK_METRICS_H

#include <linux/types.h>

#include "runtime/advice.h"

struct wk_aspect;

/* One metric on one CPU: @words of them. */
struct wk_metric_part {
	struct wr_area *area; /* NULL: an inline counter */
	u64 count;	      /* its value, once the module is gone */
	u64 *before;	      /* the whole area, or the count, at the last reset; NULL: nothing */
};

struct wk_metric {
	struct weft_metric_info info; /* as far as it never changes */
	const struct weft_metric *from; /* the module's; NULL once that is gone */
	u32 row_words; /* of a row with its key; 0: no key */
	u32 words;     /* of an area */
	u32 nr_slots;
	struct wk_metric_part *parts; /* by CPU */
	u64 __percpu *count; /* a plain counter's, as long as the module is there */
	bool inlined; /* its hits are in no aspect's stats: its advice is nothing but the counter */
	struct wk_metric *next_away; /* of those whose pairs stop while a task is switched out */
	struct wr_pairs pairs;
	u64 open_time_before; /* at the last reset */
	bool running;	/* its aspect is woven, and its time has come and is not over */
	u64 since;	/* nanoseconds: it runs, or was reset, at */
	u64 ran;	/* nanoseconds before that */
	u64 stopped_at; /* by the metrics' clock */
};

struct wk_metrics {
	struct wk_metric *list;
	struct wk_metric *first_away;
	u32 nr;
	struct wr_clock clock;
	bool watched; /* the aspect is woven */
};

/* Makes memory for @module's metrics, and hands it out. -ENOMEM, -EINVAL. */
int wk_metrics_init(struct wk_metrics *metrics, struct weft_aspect *module);
void wk_metrics_deinit(struct wk_metrics *metrics);

/*
 * Before the first hit of a weave, after the last splice was taken out. In between metric @index may run and stop.
 * -EOPNOTSUPP: this kernel has not what it needs.
 */
int wk_metrics_start(struct wk_metrics *metrics);
void wk_metrics_stop(struct wk_metrics *metrics);
void wk_metrics_run(struct wk_metrics *metrics, u32 index, bool run);

/* Says of each metric how many of @aspect's shadows, which is woven, it counts at, and at how many of them not. */
void wk_metrics_count_shadows(struct wk_aspect *aspect);

/* The module goes: nobody writes any more. */
void wk_metrics_keep(struct wk_metrics *metrics);

/* An inline counter's value on one CPU. */
u64 wk_metric_count(const struct wk_metric *metric, int cpu);

/* Executions that inline counters have seen: the aspect's hits beside those in its stats. */
u64 wk_metrics_hits(const struct wk_metrics *metrics);

/* WEFT_IOC_METRIC, WEFT_IOC_METRIC_ROWS, WEFT_IOC_METRIC_RESET. */
int wk_metrics_info(const struct wk_metrics *metrics, struct weft_metric_info *info);
int wk_metrics_rows(const struct wk_aspect *aspect, struct weft_metric_rows *request);
int wk_metrics_reset(struct wk_metrics *metrics);

#endif /* WK_METRICS_H */
