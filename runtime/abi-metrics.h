/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics and their rows, as the device describes them: a part of abi.h, which includes it. */
#ifndef WEFT_ABI_METRICS_H
#define WEFT_ABI_METRICS_H

#include <linux/types.h>

enum weft_metric_type {
	WEFT_METRIC_COUNTER = 0,     /* executions */
	WEFT_METRIC_SUM = 1,	     /* the sum of a value */
	WEFT_METRIC_HISTOGRAM = 2,   /* the distribution of a value */
	WEFT_METRIC_ELAPSED = 3,     /* a histogram of nanoseconds from a start to its end */
	WEFT_METRIC_CONCURRENCY = 4, /* how many are between start and end, over time */
	WEFT_METRIC_TYPES
};

/* A histogram's buckets. */
enum weft_metric_scale {
	WEFT_SCALE_LOG2 = 0,   /* 2^fine for each power of two: runtime/metric-table.h */
	WEFT_SCALE_LINEAR = 1, /* buckets of width @step, from @least on */
};

/* The clock of starts and ends. */
enum weft_metric_clock {
	WEFT_CLOCK_WALL = 0,
	WEFT_CLOCK_CPU = 1, /* stops while the task is switched out */
};

/* The type of a row's key, which decides how it is shown. */
enum weft_key_kind {
	WEFT_KEY_NONE = 0, /* the metric has no key, and one row */
	WEFT_KEY_UNSIGNED = 1,
	WEFT_KEY_SIGNED = 2,
	WEFT_KEY_POINTER = 3,	/* a kernel text address is shown as a symbol; others as a number */
	WEFT_KEY_TEXT = 4,
	WEFT_KEY_FUNCTION = 5,	/* the function whose source contains the joinpoint */
	WEFT_KEY_JOINPOINT = 6, /* the joinpoint, for each of its shadows separately */
	WEFT_KEY_STACK = 7,	/* the call stack: functions, shown one to a line */
	WEFT_KEY_TIME = 8,	/* nanoseconds, shown as seconds */
};

#define WEFT_KEYS_MAX 4 /* values that a key may be made of */

/*
 * WEFT_IOC_METRIC: describes metric @index of an aspect, with its totals. All numbers count from
 * the last reset. ENOENT no such aspect, ERANGE no such metric.
 */
struct weft_metric_info {
	char name[WEFT_NAME_MAX]; /* in: the aspect's */
	__u32 index;		  /* in: counts from 0 */
	__u32 type;		  /* enum weft_metric_type */
	char metric[64], unit[32];
	/* as the author wrote them; cut where too long. @by: @nr_keys texts, NULs between */
	char value[128], by[128];
	__u32 scale;	 /* enum weft_metric_scale */
	__u32 clock;	 /* enum weft_metric_clock */
	__u32 fine;	 /* LOG2: each power of two is divided into 2^fine buckets */
	__u32 buckets;	 /* LINEAR, LOG2: their number */
	__s64 least;	 /* LINEAR: where the first bucket begins */
	__u64 step;	 /* LINEAR: the width of a bucket */
	__u32 nr_keys;	 /* values that a key is made of; 0: the metric has no key */
	/* enum weft_key_kind of each of these values; NONE also if there is no row yet */
	__u32 key_kinds[WEFT_KEYS_MAX];
	__u32 rows;	 /* capacity on each CPU; 0: the metric has no key */
	__u32 nr_values; /* in each row */
	__u32 nr_cpus;	 /* CPU numbers are below this */
	/* nanoseconds for which it was woven and within the aspect's time */
	__u64 woven;
	__u64 full;	 /* hits that found no row, and took none */
	__u64 replaced_rows; /* rows that another key has taken */
	/*
	 * An upper bound of what is missing in a row: the total of a key is at most its row's value
	 * plus this; the total of a key without a row is at most this. In hits or, for a sum or a
	 * concurrency, in the metric's unit. Known only if .full is 0 and no value was negative.
	 */
	__u64 missing;
	__u64 unmatched; /* ends without a start */
	__u64 dropped; /* starts that found no room, because starts of other keys took most of it */
	__u64 deep; /* starts that found no room, because starts of their own key took most of it */
	__u64 replaced;	 /* starts that a newer one has replaced */
	__u64 open;	 /* starts that wait for their end */
	__u64 open_time; /* sum over @open of the nanoseconds since the start */
	/*
	 * In the last weave: shadows where it counts (for a pair: where it starts), and how many of
	 * them were refused.
	 */
	__u32 shadows, shadows_refused;
	__u32 ends, ends_refused;	/* the same numbers for where its pairs end */
	__u32 has_sign; /* 1: the extremes of its rows are of signed numbers (wr_ordered()) */
	__u32 pairs;	/* the number of open starts that it has room for; 0: it has no pairs */
};

/*
 * WEFT_IOC_METRIC_ROWS: copies one CPU's rows of a metric, beginning with row @first, as many as
 * the buffer holds. @first is then set to the next row, or to WEFT_ROWS_END after the last. The
 * caller sums rows of one key over all CPUs. ENOENT, ERANGE; EMSGSIZE the buffer is too small for
 * one row.
 */
#define WEFT_ROWS_END 0xffffffffu
struct weft_metric_rows {
	char name[WEFT_NAME_MAX]; /* in: the aspect's */
	__u32 index;		  /* in: of the metric */
	__u32 cpu;		  /* in */
	__u32 first;		  /* in and out */
	__u32 size;		  /* in: bytes */
	__u64 buffer;		  /* in: user address */
	__u32 used;		  /* out: bytes of whole rows */
	__u32 reserved;
};

/*
 * The header of a row. After it come @text_size bytes, a multiple of 8: the values that the key is
 * made of as texts, weft_metric_info.nr_keys of them, each followed by a NUL; @text_size is 0 if
 * they are not known on this CPU. Then come the row's values, weft_metric_info.nr_values numbers of
 * 64 bits, in the order of enum wr_value (runtime/metric-table.h).
 */
struct weft_metric_row {
	__u64 key;
	__u32 text_size;
	__u32 others; /* 1: the row of all keys that have no row of their own */
};

/* What tells the pairs of a metric apart. */
enum weft_pair_key {
	WEFT_PAIR_NUMBER = 0, /* the value of C */
	WEFT_PAIR_TASK = 1,
	WEFT_PAIR_CPU = 2,
};

/*
 * WEFT_IOC_METRIC_OPEN: copies the starts of a metric that wait for their end, as
 * WEFT_IOC_METRIC_ROWS does rows, in no order. @cpu is 0. Starts whose condition did not hold are
 * left out. A start or end meanwhile may be seen or not.
 *
 * Behind each of them are @text_size bytes, a multiple of 8: where it started, as symbol and
 * offset, "" if that is not known, and the values of the row's key that it is to be counted in, as
 * behind struct weft_metric_row, each with a NUL behind it.
 */
struct weft_open_pair {
	__u64 key;	/* TASK: a number that identifies it; CPU: its number */
	__u64 since;	/* nanoseconds of CLOCK_MONOTONIC */
	__u64 age;	/* nanoseconds since, or until the metric stopped, by the metric's clock */
	__u32 key_kind; /* enum weft_pair_key */
	__u32 pid, tid; /* of a task that there still is; else 0 */
	__u32 text_size;
	char comm[16];
	__u64 reserved;
};

/*
 * WEFT_IOC_METRIC_RESET: sets all metrics of an aspect to zero. If the aspect's module is gone, its
 * saved metrics are dropped. ENOENT.
 */
struct weft_metric_reset {
	char name[WEFT_NAME_MAX]; /* in */
};

#endif /* WEFT_ABI_METRICS_H */
