/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of an aspect, kernel side: allocates the memory that advice counts in, and serves
 * readers. Advice writes to this memory directly (runtime/metric-table.h); nothing here runs at a
 * hit. Under wk_mutex, except for wk_metrics_init() and wk_metrics_deinit() of an aspect that is
 * not registered yet. Process context, may sleep.
 *
 * The memory of a metric on one CPU (its area) is written by that CPU only. So a reset runs on each
 * CPU, a piece at a time. Inline counters are never set to 0: a reset stores their values, and
 * readers subtract these.
 */
#ifndef WK_METRICS_H
#define WK_METRICS_H

#include <linux/types.h>

#include "base/table-memory.h"
#include "runtime/advice.h"
#include "metrics/sched-switch.h"

/* The memory of one metric on one CPU. */
struct wk_metric_part {
	struct wr_area *area; /* wk_metric.words u64s; NULL: the metric is an inline counter */
	u64 count;	      /* the inline counter's value once the module is gone */
	u64 count_before;     /* the inline counter's value at the last reset */
};

struct wk_metric {
	/*
	 * The members that describe the metric are constant. The numbers of shadows are set by each
	 * weave. The other totals are not kept here: they are computed when they are read.
	 */
	struct weft_metric_info info;
	const struct weft_metric *from; /* the module's description; NULL once the module is gone */
	u32 key_words[WEFT_KEYS_MAX]; /* copy of weft_metric.key_words */
	bool hashed;	   /* true: all keys are hashes (weft_metric.hashed) */
	/*
	 * number of u64s in a row before its values: the stored key and what belongs to it (struct
	 * wr_layout)
	 */
	u32 all_key_words;
	u32 row_words;	   /* number of u64s in a row, with its key and its values */
	/* number of u64s in a CPU's area, with its header; 0: the metric is an inline counter */
	u32 words;
	u32 nr_slots; /* number of slots in @pairs */
	struct wk_metric_part *parts; /* array, by CPU number */
	u64 __percpu *count; /* the inline counter; NULL: none, or the module is gone */
	/*
	 * the metric's advice only increments the counter, so the aspect's stats do not count its
	 * hits
	 */
	bool inlined;
	struct wr_pairs pairs;
	/*
	 * element of the list wk_metrics.switches, if the clock of the pairs stops while their task
	 * is switched out
	 */
	struct wk_switched switched;
	/*
	 * Nanoseconds that are subtracted from the age of all open pairs together; the rest is
	 * reported as weft_metric_info.open_time. A reset sets this to their age. When pairs are
	 * dropped, their age is subtracted from this, so it may be negative, in two's complement.
	 */
	u64 open_time_before;
	/* the aspect is woven, and the metric's advice is within its start and stop times */
	bool running;
	u64 since;	/* ktime_get_ns() when the metric last began to run, or was reset */
	u64 ran;	/* nanoseconds that the metric ran between the last reset and @since */
	u64 stopped_at; /* time by wk_metrics.clock when the metric last stopped */
	u64 stopped_ns; /* ktime_get_ns() when the metric last stopped */
	u32 pair_key;	/* enum weft_pair_key */
	/*
	 * ->nr_starts: number of joinpoints where the metric's pairs start. ->first_start: the
	 * index of the first of them.
	 */
	u32 nr_starts, first_start;
};

struct wk_metrics {
	struct wk_metric *list;
	u32 nr;
	struct wk_switches switches;
	struct wr_clock clock;
	/* address of the module's table of joinpoints, kept after the table is gone */
	unsigned long joinpoints;
	u32 nr_joinpoints;
	bool watched; /* between wk_metrics_start() and wk_metrics_stop() */
	struct wk_account memory;
};

/*
 * Allocates memory for @module's metrics and stores its addresses in @module. -ENOMEM: memory is
 * short. -EINVAL: the description of a metric is damaged, or there are too many.
 */
int wk_metrics_init(struct wk_metrics *metrics, struct weft_aspect *module);
void wk_metrics_deinit(struct wk_metrics *metrics);

/*
 * wk_metrics_start() is called before the first hit of a weave. wk_metrics_stop() is called after
 * the last splice was removed from the text, perhaps more than once. Between the two,
 * wk_metrics_run() starts and stops the time of metric @index. wk_metrics_start() returns 0, an
 * error of tracepoint_probe_register(), or:
 * -EOPNOTSUPP: the kernel lacks a tracepoint that a metric needs
 */
int wk_metrics_start(struct wk_metrics *metrics);
void wk_metrics_stop(struct wk_metrics *metrics);
void wk_metrics_run(struct wk_metrics *metrics, u32 index, bool run);

/*
 * Sets, for each metric of @module, which is woven, the number of shadows where the metric counts
 * and how many of these were refused. @attachments: the shadows that have a splice (struct
 * wk_attachment.in_aspect). @once: enum weft_once of each joinpoint; NULL: there is no once-advice.
 * A shadow that has no splice because its once-advice has run does not count as refused.
 */
void wk_metrics_count_shadows(struct wk_metrics *metrics, const struct weft_aspect *module,
			      const struct list_head *attachments, const u8 *once);

/*
 * Called after wk_metrics_count_shadows() for each joinpoint that has an uprobe. Takes it out of
 * the number of refused shadows, where it was counted because it has no splice. @joinpoint: its
 * index in the table of @module.
 */
void wk_metrics_count_uprobe(struct wk_metrics *metrics, const struct weft_aspect *module,
			     u32 joinpoint);

/*
 * Called when the module is being unloaded and no advice writes any more. Keeps the values of
 * inline counters for readers.
 */
void wk_metrics_keep(struct wk_metrics *metrics);

/*
 * The sets of values of a metric on one CPU: one set for each row and, after them, one for all keys
 * without a row. A metric without a key has only the latter. wk_metric_parts() returns how many
 * sets there are, wk_metric_values() the values of set @row, and wk_metric_clear_row() resets that
 * set to the values that it begins with.
 */
u32 wk_metric_parts(const struct wk_metric *metric);
u64 *wk_metric_values(const struct wk_metric *metric, struct wr_area *area, u32 row);
void wk_metric_clear_row(const struct wk_metric *metric, struct wr_area *area, u32 row);

/* The value of an inline counter on one CPU, also once the module is gone. */
u64 wk_metric_count(const struct wk_metric *metric, int cpu);

/* Executions counted by inline counters. The aspect's hits are these plus those in its stats. */
u64 wk_metrics_hits(const struct wk_metrics *metrics);

/*
 * Writes the name of a key that is an index or offset into the aspect's tables: @kind is
 * WEFT_KEY_FUNCTION or WEFT_KEY_JOINPOINT. Leaves @text unchanged if @table has no such entry. May
 * sleep.
 */
typedef void (*wk_name_key)(const void *table, u64 kind, u64 key, char *text, size_t size);

/*
 * These serve the requests WEFT_IOC_METRIC, WEFT_IOC_METRIC_ROWS, WEFT_IOC_METRIC_OPEN and
 * WEFT_IOC_METRIC_RESET. They return 0, an error that runtime/abi-metrics.h names, or -ENOMEM.
 * @name_key is called with @table. @buffer: kernel memory of @request->size bytes.
 */
int wk_metrics_info(const struct wk_metrics *metrics, struct weft_metric_info *info);
int wk_metrics_rows(const struct wk_metrics *metrics, struct weft_metric_rows *request,
		    void *buffer, wk_name_key name_key, const void *table);
int wk_metrics_open(const struct wk_metrics *metrics, struct weft_metric_rows *request,
		    void *buffer, wk_name_key name_key, const void *table);
int wk_metrics_reset(struct wk_metrics *metrics);

/*
 * Called before the open pairs of @metric are dropped. Keeps their open time in ->open_time_before,
 * so that readers still get it in weft_metric_info.open_time.
 */
void wk_metric_keep_open(const struct wk_metrics *metrics, struct wk_metric *metric);

#endif /* WK_METRICS_H */
