/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Figures derived from a metric's row: count, sum, mean and, for a histogram, percentiles, which
 * are as exact as its buckets. No output here: the text, JSON and HTML reports all use these
 * functions, so they agree.
 */
#ifndef WV_FIGURES_H
#define WV_FIGURES_H

#include "base/str.h"
#include "live/read-metrics.h"

struct wv_percentile {
	/* middle of the bucket; of an open-ended bucket, its finite end */
	double value;
	/* -1: the percentile is less than .value; 1: it is .value or more; 0: it is about .value */
	int beyond;
};

struct wv_figures {
	uint64_t count;
	int64_t sum;
	double mean; /* 0 if the count is 0 */
	bool has_percentiles; /* the metric is a histogram, and not empty */
	/*
	 * exact values, or estimates by buckets where the row has none; only set if
	 * .has_percentiles
	 */
	double min, max;
	struct wv_percentile p50, p90, p99;
	double average; /* CONCURRENCY: mean number of tasks inside at once, over the time woven */
};

void wv_figures_get(const struct wv_metric_reading *reading, const struct wv_metric_row *row,
		    struct wv_figures *ret);

/* A column of a metric's table and a row's value in it. A plain number has no unit. */
struct wv_column {
	const char *head;
	double value;
	const char *unit;
	int beyond; /* as in struct wv_percentile */
};

enum { WV_COLUMNS_MAX = 8 };

/*
 * Fills in the columns of the metric's table, in order, with the values of @figures; returns their
 * number.
 */
unsigned int wv_metric_columns(const struct weft_metric_info *info,
			       const struct wv_figures *figures,
			       struct wv_column ret[WV_COLUMNS_MAX]);

/* Returns whether the metric's rows are histograms. */
bool wv_is_histogram(const struct weft_metric_info *info);

/*
 * Returns the maximum relative error of a percentile, as a fraction: half the width of a bucket,
 * divided by its least value. Returns 0 for a linear scale, where the error is not relative: it is
 * at most half a step there.
 */
double wv_bucket_error(const struct weft_metric_info *info);

/* A bucket of a histogram: values from @least up to, but not including, @next. */
struct wv_bucket {
	double least, next;
	/*
	 * open-ended buckets; .below: all values less than .next; .above: all values from .least on
	 */
	bool below, above;
	uint64_t count;
};

/*
 * wv_nr_buckets() returns the number of buckets, wv_bucket_at() returns bucket @index. Buckets
 * ascend from index 0; the first and the last one are open-ended. @values: of a row.
 */
size_t wv_nr_buckets(const struct weft_metric_info *info);
struct wv_bucket wv_bucket_at(const struct weft_metric_info *info, const uint64_t *values,
			      size_t index);

/*
 * The range of buckets that are not empty: the indexes of the first and last one.
 * wv_histogram_span() returns false if all buckets are empty.
 */
struct wv_histogram_span {
	size_t first, last;
	uint64_t most; /* largest count of one bucket */
};

bool wv_histogram_span(const struct weft_metric_info *info, const uint64_t *values,
		       struct wv_histogram_span *ret);

/*
 * Returns the sum of all rows of a reading, in the form of a row without a key. The caller frees
 * .values, which is NULL if memory ran out.
 */
struct wv_metric_row wv_reading_total(const struct wv_metric_reading *reading);

/*
 * Formats a number with its unit: "12.3 us", "4.0 KiB", "17". @text must have room for
 * WV_FIGURE_TEXT bytes.
 */
#define WV_FIGURE_TEXT 48
const char *wv_figure_text(double value, const char *unit, char *text);

/*
 * Like wv_figure_text(), for a column, with "<" or ">=" if the value is beyond the buckets. @text
 * must have room for WV_COLUMN_TEXT bytes.
 */
#define WV_COLUMN_TEXT (WV_FIGURE_TEXT + 4)
const char *wv_column_text(const struct wv_column *column, char *text);

/*
 * Writes at how many shadows of the metric weft.ko has refused a splice, so that hits are missing:
 * "starts at 1 of 3 shadows, ends at 2 of 5". Returns false if it has refused none. @text must have
 * room for WV_UNSEEN_TEXT bytes.
 */
#define WV_UNSEEN_TEXT 128
bool wv_unseen_text(const struct weft_metric_info *info, char *text);

/* A remark about a metric: how exact its numbers are, or which hits they do not include. */
#define WV_REMARK_TEXT (WV_UNSEEN_TEXT + 96)
struct wv_remark {
	bool lost; /* hits were not counted: the report must show this remark prominently */
	char text[WV_REMARK_TEXT];
};

enum { WV_REMARKS_MAX = 9 };

/* Fills @ret with the remarks about a metric; returns their number. */
unsigned int wv_remarks(const struct weft_metric_info *info, struct wv_remark ret[WV_REMARKS_MAX]);

/* Adds the values of a row's key to @out, separated by ", ". */
void wv_row_key(const struct weft_metric_info *info, const struct wv_metric_row *row,
		struct wv_str *out);

/* Returns the name of an enum weft_metric_type. */
const char *wv_metric_type_name(unsigned int type);

#endif /* WV_FIGURES_H */
