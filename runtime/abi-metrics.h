/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics and their rows, as the device describes them: a part of abi.h, which includes it. */
#ifndef WEFT_ABI_METRICS_H
#define WEFT_ABI_METRICS_H

#include <linux/types.h>

enum weft_metric_type {
	WEFT_METRIC_COUNTER = 0,     /* number of executions */
	WEFT_METRIC_SUM = 1,	     /* sum of a value */
	WEFT_METRIC_HISTOGRAM = 2,   /* distribution of a value */
	WEFT_METRIC_ELAPSED = 3,     /* distribution of the nanoseconds from a start to its end */
	WEFT_METRIC_CONCURRENCY = 4, /* number of executions between start and end, over time */
	WEFT_METRIC_TYPES
};

/* How the buckets of a histogram are divided. */
enum weft_metric_scale {
	WEFT_SCALE_LOG2 = 0, /* 2^fine buckets for each power of two; see runtime/metric-table.h */
	WEFT_SCALE_LINEAR = 1, /* buckets of equal width (weft_metric_info.least, .step) */
};

/* The clock that measures from a start to its end. */
enum weft_metric_clock {
	WEFT_CLOCK_WALL = 0,
	WEFT_CLOCK_CPU = 1, /* stops while the task is switched out */
};

/* The type of a row's key, which decides how it is shown. */
enum weft_key_kind {
	WEFT_KEY_NONE = 0, /* the metric has no key, and one row */
	WEFT_KEY_UNSIGNED = 1,
	WEFT_KEY_SIGNED = 2,
	/* an address, shown as a symbol if it is kernel text, else as a number */
	WEFT_KEY_POINTER = 3,
	WEFT_KEY_TEXT = 4,
	WEFT_KEY_FUNCTION = 5,	/* the function whose source contains the joinpoint */
	WEFT_KEY_JOINPOINT = 6, /* the joinpoint, for each of its shadows separately */
	WEFT_KEY_STACK = 7,	/* the call stack: functions, shown one to a line */
	WEFT_KEY_TIME = 8,	/* nanoseconds, shown as seconds */
};

/* Maximum number of values of which a key consists. */
#define WEFT_KEYS_MAX 4

/*
 * WEFT_IOC_METRIC: describes metric @index of an aspect, with its totals. All numbers count from
 * the last reset. ENOENT no such aspect, ERANGE no such metric.
 */
struct weft_metric_info {
	char name[WEFT_NAME_MAX]; /* in: the aspect's */
	__u32 index;		  /* in: counts from 0 */
	__u32 type;		  /* enum weft_metric_type */
	char metric[64], unit[32];
	/*
	 * Texts as the author wrote them, cut off if they are too long. @value: what is measured.
	 * @by: @nr_keys texts with NULs between them.
	 */
	char value[128], by[128];
	__u32 scale;	 /* enum weft_metric_scale */
	__u32 clock;	 /* enum weft_metric_clock */
	__u32 fine;	 /* LOG2: each power of two is divided into 2^fine buckets */
	__u32 buckets;	 /* LINEAR, LOG2: number of buckets */
	__s64 least;	 /* LINEAR: least value of the first bucket */
	__u64 step;	 /* LINEAR: width of a bucket */
	__u32 nr_keys;	 /* number of values of which a key consists; 0: the metric has no key */
	/* enum weft_key_kind of each value of the key; WEFT_KEY_NONE also if there is no row yet */
	__u32 key_kinds[WEFT_KEYS_MAX];
	__u32 rows;	 /* maximum number of rows on each CPU; 0: the metric has no key */
	__u32 nr_values; /* number of values in each row */
	__u32 nr_cpus;	 /* CPU numbers are below this */
	/*
	 * nanoseconds for which the aspect was woven and the metric's advice within its start and
	 * stop times
	 */
	__u64 woven;
	__u64 full;	 /* hits whose key has no row and could not take one */
	__u64 replaced_rows; /* rows that another key has taken */
	/*
	 * An upper bound of what is missing in a row: the total of a key is at most its row's value
	 * plus this; the total of a key without a row is at most this. In hits or, for a sum or a
	 * concurrency, in the metric's unit. Known only if .full is 0 and no value was negative.
	 */
	__u64 missing;
	__u64 unmatched; /* ends without a start */
	/*
	 * starts that found no room, while at most half of the places where they could be stored (a
	 * bucket, pair-table.h) held starts of their own key
	 */
	__u64 dropped;
	/*
	 * starts that found no room, while more than half of these places held starts of their own
	 * key: pairs nest too deep
	 */
	__u64 deep;
	__u64 replaced;	 /* starts that a newer one has replaced */
	__u64 open;	 /* open pairs: starts that wait for their end */
	__u64 open_time; /* sum over these starts of the nanoseconds since each start */
	/*
	 * In the last weave: number of shadows where the metric counts (for a pair: where it
	 * starts), and how many of these shadows were refused.
	 */
	__u32 shadows, shadows_refused;
	__u32 ends, ends_refused; /* the same two numbers for the shadows where its pairs end */
	__u32 has_sign; /* 1: the extremes of its rows are of signed numbers (wr_ordered()) */
	__u32 pairs;	/* maximum number of open pairs; 0: the metric has no pairs */
};

/*
 * WEFT_IOC_METRIC_ROWS: copies one CPU's rows of a metric, beginning with row @first, as many as
 * the buffer holds. @first is then set to the next row, or to WEFT_ROWS_END after the last. The
 * caller sums rows of one key over all CPUs. Errors:
 * ENOENT: there is no such aspect
 * ERANGE: there is no such metric or CPU
 * EMSGSIZE: the buffer is too small for one row
 */
#define WEFT_ROWS_END 0xffffffffu
struct weft_metric_rows {
	char name[WEFT_NAME_MAX]; /* in: the aspect's */
	__u32 index;		  /* in: the metric's index */
	__u32 cpu;		  /* in */
	__u32 first; /* in: the first row to copy; out: the next row, or WEFT_ROWS_END */
	__u32 size;		  /* in: size of the buffer in bytes */
	__u64 buffer;		  /* in: user address to which the rows are copied */
	__u32 used;		  /* out: bytes of whole rows */
	__u32 reserved;
};

/*
 * The header of a row. After it come @text_size bytes, a multiple of 8: the key's values, as
 * weft_metric_info.nr_keys texts that are each followed by a NUL; @text_size is 0 if this CPU does
 * not know them. Then come the row's values, weft_metric_info.nr_values numbers of
 * 64 bits, in the order of enum wr_value (runtime/metric-table.h).
 */
struct weft_metric_row {
	__u64 key;
	__u32 text_size;
	__u32 others; /* 1: the row of all keys that have no row of their own */
};

/* What tells the open pairs of a metric apart. */
enum weft_pair_key {
	WEFT_PAIR_NUMBER = 0, /* the value of the metric's attribute `key` */
	WEFT_PAIR_TASK = 1,
	WEFT_PAIR_CPU = 2,
};

/*
 * WEFT_IOC_METRIC_OPEN: copies the open pairs of a metric, starts that wait for their end, in the
 * way in which WEFT_IOC_METRIC_ROWS copies rows, and with the same struct and errors.
 * weft_metric_rows.cpu must be 0, since the pairs of all CPUs are in one table. The pairs are in no
 * order. Starts whose condition did not hold are left out. A start or end that happens meanwhile
 * may be seen or not.
 *
 * After each struct weft_open_pair come @text_size bytes, a multiple of 8: texts that are each
 * followed by a NUL. The first text says where the pair started, as symbol and offset; "" if that
 * is not known. The others are the values of the key of the row that will count the pair.
 */
struct weft_open_pair {
	/* CPU: the CPU's number; TASK: 0, as a task's number reveals a secret (wr_task_key()) */
	__u64 key;
	__u64 since;	/* time of the start, in nanoseconds of CLOCK_MONOTONIC */
	/* nanoseconds since the start, or until the metric stopped, by the metric's clock */
	__u64 age;
	__u32 key_kind; /* enum weft_pair_key */
	/* ids of the task; 0 if the task has ended, or if the pair is not a task's */
	__u32 pid, tid;
	__u32 text_size;
	char comm[16];
	__u64 reserved;
};

/*
 * WEFT_IOC_METRIC_RESET: sets all metrics of an aspect to zero. If the aspect's module is gone, its
 * saved metrics, and the states of its advice that runs once, are dropped. ENOENT: there is no such
 * aspect.
 */
struct weft_metric_reset {
	char name[WEFT_NAME_MAX]; /* in */
};

#endif /* WEFT_ABI_METRICS_H */
