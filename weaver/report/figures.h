/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes figures from a metric's row: count, sum, mean and, for a histogram, percentiles, which
 * are as exact as the buckets of the histogram. The reports as text, JSON and HTML all use these
 * functions, so they agree.
 */
#ifndef WV_FIGURES_H
#define WV_FIGURES_H

#include "base/str.h"
#include "live/read-metrics.h"

struct wv_percentile {
	/* middle of the bucket; of an open-ended bucket, its finite end */
	double value;
	/*
	 * -1: the percentile is less than .value. 1: it is at least .value. 0: it is about .value.
	 */
	int beyond;
};

struct wv_figures {
	uint64_t count;
	int64_t sum;
	double mean; /* 0 if the count is 0 */
	bool has_percentiles; /* the metric is a histogram, and not empty */
	/*
	 * The least and the greatest value, or estimates by buckets if the row does not have these.
	 * Only set if .has_percentiles.
	 */
	double min, max;
	struct wv_percentile p50, p90, p99;
	/*
	 * WEFT_METRIC_CONCURRENCY: mean number of tasks inside at once, since the aspect was woven
	 */
	double average;
};

void wv_figures_get(const struct wv_metric_reading *reading, const struct wv_metric_row *row,
		    struct wv_figures *ret);

/* A column of a metric's table, and the value that a row has in this column. */
struct wv_column {
	const char *head;
	double value;
	const char *unit; /* as of wv_figure_text(); "": the value is a plain number */
	int beyond; /* as in struct wv_percentile */
};

enum { WV_COLUMNS_MAX = 8 };

/*
 * Sets @ret to the columns of the metric's table, from left to right, with the values of @figures.
 * Returns the number of columns.
 */
unsigned int wv_metric_columns(const struct weft_metric_info *info,
			       const struct wv_figures *figures,
			       struct wv_column ret[WV_COLUMNS_MAX]);

/* Returns whether the metric's rows are histograms. */
bool wv_is_histogram(const struct weft_metric_info *info);

/*
 * Returns the maximum relative error of a percentile, as a fraction: half the width of a bucket,
 * divided by the bucket's least value. Returns 0 for a linear scale, because the relative error has
 * no maximum there: the absolute error is at most half a step.
 */
double wv_bucket_error(const struct weft_metric_info *info);

/* A bucket of a histogram: values from @least up to, but not including, @next. */
struct wv_bucket {
	double least, next;
	/*
	 * true for open-ended buckets. .below: the bucket is for all values less than .next.
	 * .above: the bucket is for all values from .least on.
	 */
	bool below, above;
	uint64_t count; /* number of hits with such a value */
};

/*
 * wv_nr_buckets() returns the number of buckets. wv_bucket_at() returns the bucket with the index
 * @index of a row; @values is .values of the row. The buckets are in ascending order; the first and
 * the last one are open-ended.
 */
size_t wv_nr_buckets(const struct weft_metric_info *info);
struct wv_bucket wv_bucket_at(const struct weft_metric_info *info, const uint64_t *values,
			      size_t index);

/*
 * The range of a row's buckets from the first one that is not empty to the last one, as indices.
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
 * Formats @value, a number of @unit, in a unit that is easy to read: "12.3 us", "4.0 KiB", "17".
 * Returns @text, which must have room for WV_FIGURE_TEXT bytes.
 */
#define WV_FIGURE_TEXT 48
const char *wv_figure_text(double value, const char *unit, char *text);

/*
 * Like wv_figure_text(), for the value of a column. Writes "<" or ">=" before it, if .beyond is not
 * 0. Returns @text, which must have room for WV_COLUMN_TEXT bytes.
 */
#define WV_COLUMN_TEXT (WV_FIGURE_TEXT + 4)
const char *wv_column_text(const struct wv_column *column, char *text);

/*
 * Writes to @text at how many of the metric's shadows hits are missing, because a splice was
 * refused there: "starts at 1 of 3 shadows, ends at 2 of 5". Returns false if none was refused.
 * @text must have room for WV_UNSEEN_TEXT bytes.
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
