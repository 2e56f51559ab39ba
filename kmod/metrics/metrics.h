/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of an aspect, kernel side: memory for what its advice counts, and readers' requests.
 * Advice writes by itself (runtime/metric-table.h); nothing here is on the way of a hit. All under
 * wk_mutex, process context, may sleep.
 *
 * Numbers only grow while the aspect lives. A reset remembers what they were, which no CPU has to
 * be stopped for.
 */
#ifndef WK_METRICS_H
#define WK_METRICS_H

#include <linux/types.h>

#include "runtime/advice.h"
#include "metrics/sched-switch.h"

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
	struct wr_pairs pairs;
	struct wk_switched switched; /* for them, where they stop while a task is away */
	u64 open_time_before; /* at the last reset */
	bool running;	/* its aspect is woven, and its time has come and is not over */
	u64 since;	/* nanoseconds: it runs, or was reset, at */
	u64 ran;	/* nanoseconds before that */
	u64 stopped_at; /* by the metrics' clock */
};

struct wk_metrics {
	struct wk_metric *list;
	u32 nr;
	struct wk_switches switches;
	struct wr_clock clock;
	bool watched; /* the aspect is woven */
};

/* Makes memory for @module's metrics, and hands it out. -ENOMEM, -EINVAL. */
int wk_metrics_init(struct wk_metrics *metrics, struct weft_aspect *module);
void wk_metrics_deinit(struct wk_metrics *metrics);

/*
 * Before the first hit of a weave, after the last splice was taken out. In between metric @index
 * may run and stop. -EOPNOTSUPP: this kernel has not what it needs.
 */
int wk_metrics_start(struct wk_metrics *metrics);
void wk_metrics_stop(struct wk_metrics *metrics);
void wk_metrics_run(struct wk_metrics *metrics, u32 index, bool run);

/*
 * Counts, for each metric of @module, which is woven, the shadows where it counts and those where
 * it does not. @attachments: the shadows that have a splice, struct wk_attachment.in_aspect.
 */
void wk_metrics_count_shadows(struct wk_metrics *metrics, const struct weft_aspect *module,
			      const struct list_head *attachments);

/* The module is being unloaded: no advice writes any more. */
void wk_metrics_keep(struct wk_metrics *metrics);

/* An inline counter's value on one CPU. */
u64 wk_metric_count(const struct wk_metric *metric, int cpu);

/* Executions that inline counters have seen: the aspect's hits beside those in its stats. */
u64 wk_metrics_hits(const struct wk_metrics *metrics);

/*
 * Writes the name of a key that only the aspect's own table knows: @kind is WEFT_KEY_FUNCTION or
 * WEFT_KEY_JOINPOINT. Leaves @text alone where the table has no such entry. May sleep.
 */
typedef void (*wk_name_key)(const void *table, u64 kind, u64 key, char *text, size_t size);

/* WEFT_IOC_METRIC, WEFT_IOC_METRIC_ROWS, WEFT_IOC_METRIC_RESET. @name_key is called with @table. */
int wk_metrics_info(const struct wk_metrics *metrics, struct weft_metric_info *info);
int wk_metrics_rows(const struct wk_metrics *metrics, struct weft_metric_rows *request,
		    wk_name_key name_key, const void *table);
int wk_metrics_reset(struct wk_metrics *metrics);

#endif /* WK_METRICS_H */
