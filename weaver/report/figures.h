/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be said of a metric's row: count, sum, mean and, of a histogram, percentiles, which are
 * as exact as its buckets. No output here; text, JSON and HTML say the same things because they ask
 * here.
 */
#ifndef WV_FIGURES_H
#define WV_FIGURES_H

#include "live/read-metrics.h"

struct wv_percentile {
	/* the middle of the bucket it lies in; of one without that end, the other end */
	double value;
	int beyond;   /* -1: it is less than .value, 1: that or more; nobody knows by how much */
};

struct wv_figures {
	uint64_t count;
	int64_t sum;
	double mean; /* 0 where the count is */
	bool has_percentiles; /* of a histogram that holds something */
	struct wv_percentile p50, p90, p99, max;
	double average; /* concurrency: how many were inside, over the time that it was woven */
};

void wv_figures_get(const struct wv_metric_reading *reading, const struct wv_metric_row *row,
		    struct wv_figures *ret);

/* A column of a metric's table, and what a row has in it; a number has no unit. */
struct wv_column {
	const char *head;
	double value;
	const char *unit;
	int beyond; /* as of struct wv_percentile */
};

enum { WV_COLUMNS_MAX = 8 };

/*
 * The columns that tables of the metric have, in their order, with what @figures say; returns how
 * many.
 */
unsigned int wv_text_table(const struct weft_metric_info *info, const struct wv_figures *figures,
			struct wv_column ret[WV_COLUMNS_MAX]);

/* Whether the metric's rows are histograms. */
bool wv_is_histogram(const struct weft_metric_info *info);

/*
 * A percentile's distance from the true value is at most that part of it; 0 where it is a number of
 * its own: half a step.
 */
double wv_bucket_error(const struct weft_metric_info *info);

/* A bucket of a histogram: values from @least up to, but without, @next. */
struct wv_bucket {
	double least, next;
	bool below, above; /* everything less than @next; everything from @least on */
	uint64_t count;
};

/* How many buckets there are, and the @index'th of them, in ascending order. */
size_t wv_nr_buckets(const struct weft_metric_info *info);
struct wv_bucket wv_bucket_at(const struct weft_metric_info *info, const uint64_t *values,
			      size_t index);

/* Between the first and the last bucket that hold something. False: none does. */
struct wv_histogram_span {
	size_t first, last;
	uint64_t most; /* in one bucket */
};

bool wv_histogram_span(const struct weft_metric_info *info, const uint64_t *values,
		       struct wv_histogram_span *ret);

/*
 * All rows of a reading as one, without key; .values is to be freed, and NULL where memory is out.
 */
struct wv_metric_row wv_reading_total(const struct wv_metric_reading *reading);

/*
 * A number with its unit as people write it: "12.3 us", "4.0 KiB", "17". @text holds WV_FIGURE_TEXT
 * bytes.
 */
#define WV_FIGURE_TEXT 48
const char *wv_figure_text(double value, const char *unit, char *text);

/*
 * The same of a column, with a "<" or ">=" where it is beyond the buckets. @text holds
 * WV_COLUMN_TEXT bytes.
 */
#define WV_COLUMN_TEXT (WV_FIGURE_TEXT + 4)
const char *wv_column_text(const struct wv_column *column, char *text);

/*
 * Where the kernel refused shadows of the metric, as words: "starts at 1 of 3 shadows, ends at 2 of
 * 5". False: nowhere. @text holds WV_UNSEEN_TEXT bytes.
 */
#define WV_UNSEEN_TEXT 128
bool wv_unseen_text(const struct weft_metric_info *info, char *text);

/*
 * What there is to know of a metric beside its numbers: how exact they are and what is not in them.
 */
#define WV_REMARK_TEXT (WV_UNSEEN_TEXT + 32)
struct wv_remark {
	bool lost; /* hits that nobody has counted: it is shown where it cannot be overlooked */
	char text[WV_REMARK_TEXT];
};

enum { WV_REMARKS_MAX = 6 };

/* Returns how many there are. */
unsigned int wv_remarks(const struct weft_metric_info *info, struct wv_remark ret[WV_REMARKS_MAX]);

/* Of an enum weft_metric_type. */
const char *wv_metric_type_name(unsigned int type);

#endif /* WV_FIGURES_H */
