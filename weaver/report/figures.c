// SPDX-License-Identifier: GPL-2.0-or-later
/* Derives figures from metrics; see figures.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/pair-table.h"
#include "base/notation.h"
#include "report/figures.h"

bool wv_is_histogram(const struct weft_metric_info *info)
{
	return WR_HAS_BUCKETS(info->type);
}

const char *wv_metric_type_name(unsigned int type)
{
	static const char *const names[] = {
		[WEFT_METRIC_COUNTER] = "counter",
		[WEFT_METRIC_SUM] = "sum",
		[WEFT_METRIC_HISTOGRAM] = "histogram",
		[WEFT_METRIC_ELAPSED] = "elapsed",
		[WEFT_METRIC_CONCURRENCY] = "concurrency",
	};

	return type < WEFT_METRIC_TYPES ? names[type] : "unknown";
}

bool wv_unseen_text(const struct weft_metric_info *info, char *text)
{
	const char *first = info->ends ? "starts" : "hits";
	int n = 0;

	text[0] = '\0';
	if (info->shadows_refused)
		n = snprintf(text, WV_UNSEEN_TEXT, "%s at %u of %s", first, info->shadows_refused,
			     wv_count_text(info->shadows, "shadow").text);
	if (info->ends_refused)
		snprintf(text + n, WV_UNSEEN_TEXT - n, "%sends at %u of %s", n ? ", " : "",
			 info->ends_refused, wv_count_text(info->ends, "shadow").text);
	return text[0];
}

static void __attribute__((format(printf, 4, 5)))
remark(struct wv_remark *remarks, unsigned int *n, bool lost, const char *format, ...)
{
	struct wv_remark *new = &remarks[(*n)++];
	va_list args;

	new->lost = lost;
	va_start(args, format);
	vsnprintf(new->text, sizeof(new->text), format, args);
	va_end(args);
}

/*
 * Returns whether info->missing is valid: an upper bound of what may be missing from a row if the
 * table was full. The kernel computes this bound from the weights of rows. So the bound is valid
 * only if the weights include all hits and never decrease. If hits have found no row (info->full),
 * the weights do not include them. If values may be negative, as those of a sum, weights may
 * decrease.
 */
static bool knows_missing(const struct weft_metric_info *info)
{
	return info->replaced_rows && !info->full && !info->has_sign &&
	       info->type != WEFT_METRIC_SUM;
}

enum { ROWS_MAX = 1 << 16 }; /* the maximum of the attribute `rows` of a metric */

/* Adds remarks that say how much the figures of a key may lack, because the table was full. */
static void remark_full(const struct weft_metric_info *info, struct wv_remark *ret, unsigned int *n)
{
	const bool counts = info->type == WEFT_METRIC_COUNTER;
	char missing[WV_FIGURE_TEXT], help[40] = "";

	if (info->rows < ROWS_MAX)
		snprintf(help, sizeof(help), "; rows=\"%u\" would help", 2 * info->rows);
	wv_figure_text((double)info->missing, counts ? "hits" : info->unit, missing);
	if (knows_missing(info))
		remark(ret, n, true,
		       "NOT KEPT: the table of %s was full and kept the heaviest; a key lacks at "
		       "most %s%s",
		       wv_count_text(info->rows, "key").text, missing, help);
	else
		remark(ret, n, true,
		       "NOT KEPT: the table of %s was full; a key may lack any part of the other "
		       "keys%s",
		       wv_count_text(info->rows, "key").text, help);
	if (info->full)
		remark(ret, n, true, "NOT KEPT, either: %s in interrupts or at ends of pairs",
		       wv_count_text(info->full, "hit").text);
}

unsigned int wv_remarks(const struct weft_metric_info *info, struct wv_remark ret[WV_REMARKS_MAX])
{
	bool pairs = info->type == WEFT_METRIC_ELAPSED || info->type == WEFT_METRIC_CONCURRENCY;
	char unseen[WV_UNSEEN_TEXT];
	unsigned int n = 0;

	if (wv_is_histogram(info) && wv_bucket_error(info) > 0)
		remark(ret, &n, false, "percentiles within %.1f %%", 100 * wv_bucket_error(info));
	if (pairs && info->open)
		remark(ret, &n, false, "%llu started and not ended", info->open);
	if (pairs && info->unmatched)
		remark(ret, &n, false, "%llu ended without a start", info->unmatched);
	if (wv_unseen_text(info, unseen))
		remark(ret, &n, true, "NOT SEEN: %s", unseen);
	if (info->replaced)
		remark(ret, &n, false, "%s replaced by a newer one",
		       wv_count_text(info->replaced, "start").text);
	if (info->dropped)
		remark(ret, &n, true,
		       "NOT COUNTED: %s found no room beside other keys; pairs=\"%u\" would help",
		       wv_count_text(info->dropped, "start").text, 2 * info->pairs);
	if (info->deep)
		remark(ret, &n, true,
		       "NOT COUNTED: %s came while %u of their key had not ended; with nest=\"no\" "
		       "the newest replaces the one before",
		       wv_count_text(info->deep, "start").text, WR_PAIR_WAYS);
	if (info->full || info->replaced_rows)
		remark_full(info, ret, &n);
	return n;
}

double wv_bucket_error(const struct weft_metric_info *info)
{
	return info->scale == WEFT_SCALE_LOG2 ? 1.0 / (2u << info->fine) : 0;
}

/* ---- reading the buckets of a histogram ------------------------------------------------------ */

/*
 * Returns the number of all buckets: those with two ends, whose number is info->buckets, and the
 * two open-ended ones.
 */
size_t wv_nr_buckets(const struct weft_metric_info *info)
{
	return info->buckets + 2;
}

struct wv_bucket wv_bucket_at(const struct weft_metric_info *info, const uint64_t *values,
			      size_t index)
{
	struct wv_bucket bucket = { .count = values[WR_BELOW + index] };
	size_t n = info->buckets;

	bucket.below = !index;
	bucket.above = index == n + 1;
	if (info->scale == WEFT_SCALE_LINEAR) {
		bucket.least = (double)info->least + (double)info->step * ((double)index - 1);
		bucket.next = bucket.least + (double)info->step;
		return bucket;
	}
	bucket.next = index <= n - 1 ? (double)wr_log2_least(index, info->fine) : 0x1p64;
	if (index)
		bucket.least = index <= n ? (double)wr_log2_least(index - 1, info->fine) : 0x1p64;
	if (!index)
		bucket.next = 0;
	return bucket;
}

bool wv_histogram_span(const struct weft_metric_info *info, const uint64_t *values,
		       struct wv_histogram_span *ret)
{
	bool any = false;

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < wv_nr_buckets(info); i++) {
		uint64_t count = wv_bucket_at(info, values, i).count;

		if (!count)
			continue;
		if (!any)
			ret->first = i;
		ret->last = i;
		any = true;
		if (count > ret->most)
			ret->most = count;
	}
	return any;
}

/*
 * Returns the middle of a bucket, or the finite end of an open-ended bucket. Values are whole
 * numbers, so the greatest value of a bucket is .next - 1.
 */
static double middle(const struct wv_bucket *bucket)
{
	if (bucket->below)
		return bucket->next;
	if (bucket->above)
		return bucket->least;
	return (bucket->least + bucket->next - 1) / 2;
}

/* ---- computing the figures of a row ---------------------------------------------------------- */

static struct wv_percentile percentile(const struct weft_metric_info *info, const uint64_t *values,
				       uint64_t count, double part)
{
	uint64_t wanted = (uint64_t)(part * (double)count), seen = 0;
	size_t n = wv_nr_buckets(info);

	wanted += (double)wanted < part * (double)count;
	for (size_t i = 0; i < n; i++) {
		struct wv_bucket bucket = wv_bucket_at(info, values, i);

		seen += bucket.count;
		if (seen >= wanted && bucket.count)
			return (struct wv_percentile){ middle(&bucket),
						       bucket.above - bucket.below };
	}
	return (struct wv_percentile){ 0 };
}

static double extreme(const struct weft_metric_info *info, uint64_t ordered)
{
	const uint64_t value = wr_ordered(ordered, info->has_sign);

	return info->has_sign ? (double)(int64_t)value : (double)value;
}

/*
 * Sets ret->min and ret->max to the least and the greatest value of a row. A row may have hits and
 * no such values, if it was read while a hit or a reset was changing it. Then takes the middles of
 * the lowest and the highest bucket that is not empty instead.
 */
static void get_extremes(const struct weft_metric_info *info, const uint64_t *values,
			 struct wv_figures *ret)
{
	struct wv_histogram_span span;

	ret->min = extreme(info, values[WR_LEAST]);
	ret->max = extreme(info, values[WR_MOST]);
	if (ret->min > ret->max && wv_histogram_span(info, values, &span)) {
		struct wv_bucket first = wv_bucket_at(info, values, span.first);
		struct wv_bucket last = wv_bucket_at(info, values, span.last);

		ret->min = middle(&first);
		ret->max = middle(&last);
	}
}

/*
 * Moves a percentile into the range from the least to the greatest value. A percentile is the
 * middle of a bucket, and this middle may be outside of that range.
 */
static void keep_within(struct wv_percentile *percentile, const struct wv_figures *figures)
{
	if (percentile->beyond)
		return;
	if (percentile->value < figures->min)
		percentile->value = figures->min;
	if (percentile->value > figures->max)
		percentile->value = figures->max;
}

static void get_histogram(const struct weft_metric_info *info, const uint64_t *values,
			  struct wv_figures *ret)
{
	for (size_t i = 0; i < wv_nr_buckets(info); i++)
		ret->count += values[WR_BELOW + i];
	ret->sum = values[WR_TOTAL];
	ret->has_percentiles = ret->count;
	if (!ret->count)
		return;
	ret->p50 = percentile(info, values, ret->count, 0.5);
	ret->p90 = percentile(info, values, ret->count, 0.9);
	ret->p99 = percentile(info, values, ret->count, 0.99);
	get_extremes(info, values, ret);
	keep_within(&ret->p50, ret);
	keep_within(&ret->p90, ret);
	keep_within(&ret->p99, ret);
}

void wv_figures_get(const struct wv_metric_reading *reading, const struct wv_metric_row *row,
		    struct wv_figures *ret)
{
	const struct weft_metric_info *info = &reading->info;

	memset(ret, 0, sizeof(*ret));
	if (wv_is_histogram(info)) {
		get_histogram(info, row->values, ret);
	} else {
		ret->count = row->values[WR_COUNT];
		if (info->type != WEFT_METRIC_COUNTER)
			ret->sum = row->values[WR_SUM];
	}
	if (ret->count)
		ret->mean = (double)ret->sum / (double)ret->count;
	/*
	 * Add the time of tasks that are still inside. The key of a task is known only when the
	 * task leaves, so this time can be added only if the metric has no keys.
	 */
	if (info->type == WEFT_METRIC_CONCURRENCY && info->woven)
		ret->average =
			((double)ret->sum + (info->rows ? 0 : (double)(int64_t)info->open_time)) /
			(double)info->woven;
}

static struct wv_column column_of(const char *head, const struct wv_percentile *percentile,
				  const char *unit)
{
	return (struct wv_column){ head, percentile->value, unit, percentile->beyond };
}

unsigned int wv_metric_columns(const struct weft_metric_info *info,
			       const struct wv_figures *figures,
			       struct wv_column ret[WV_COLUMNS_MAX])
{
	unsigned int n = 0;

	if (info->type == WEFT_METRIC_CONCURRENCY)
		ret[n++] = (struct wv_column){ .head = "average",
					       .value = figures->average,
					       .unit = "" };
	ret[n++] =
		(struct wv_column){ .head = "count", .value = (double)figures->count, .unit = "" };
	if (info->type == WEFT_METRIC_SUM || wv_is_histogram(info))
		ret[n++] = (struct wv_column){
			.head = info->type == WEFT_METRIC_ELAPSED ? "total" : "sum",
			.value = (double)figures->sum,
			.unit = info->unit,
		};
	if (info->type == WEFT_METRIC_CONCURRENCY)
		ret[n++] = (struct wv_column){ .head = "mean time",
					       .value = figures->mean,
					       .unit = "ns" };
	else if (info->type != WEFT_METRIC_COUNTER)
		ret[n++] = (struct wv_column){ .head = "mean",
					       .value = figures->mean,
					       .unit = info->unit };
	if (wv_is_histogram(info)) {
		ret[n++] = (struct wv_column){ "min", figures->min, info->unit, 0 };
		ret[n++] = column_of("p50", &figures->p50, info->unit);
		ret[n++] = column_of("p90", &figures->p90, info->unit);
		ret[n++] = column_of("p99", &figures->p99, info->unit);
		ret[n++] = (struct wv_column){ "max", figures->max, info->unit, 0 };
	}
	return n;
}

struct wv_metric_row wv_reading_total(const struct wv_metric_reading *reading)
{
	struct wv_metric_row total = { .values =
					       calloc(reading->info.nr_values, sizeof(uint64_t)) };

	if (!total.values)
		return total;
	wv_row_begin(&reading->info, total.values);
	wv_vec_for_each(row, &reading->rows)
		wv_row_add(&reading->info, total.values, row->values);
	if (reading->others.values)
		wv_row_add(&reading->info, total.values, reading->others.values);
	return total;
}

void wv_row_key(const struct weft_metric_info *info, const struct wv_metric_row *row,
		struct wv_str *out)
{
	for (size_t key = 0; key < info->nr_keys; key++) {
		wv_str_add(out, key ? ", " : "");
		wv_str_add(out, wv_row_text(row, key));
	}
}

/* ---- formatting numbers and keys ------------------------------------------------------------- */

static bool is_whole(double value)
{
	return value > -0x1p62 && value < 0x1p62 && value == (double)(int64_t)value;
}

static const char *scaled(double value, double step, const char *const *units, size_t n, char *text)
{
	size_t i = 0;

	while (i + 1 < n && (value >= step || value <= -step)) {
		value /= step;
		i++;
	}
	snprintf(text, WV_FIGURE_TEXT,
		 is_whole(value) && (!i || value < 1000) ? "%.0f %s" : "%.3g %s", value, units[i]);
	return text;
}

const char *wv_figure_text(double value, const char *unit, char *text)
{
	static const char *const times[] = { "ns", "us", "ms", "s" };
	static const char *const bytes[] = { "B", "KiB", "MiB", "GiB", "TiB" };

	if (!strcmp(unit, "ns"))
		return scaled(value, 1000, times, 4, text);
	if (!strcmp(unit, "B") || !strcmp(unit, "bytes"))
		return scaled(value, 1024, bytes, 5, text);
	snprintf(text, WV_FIGURE_TEXT, is_whole(value) ? "%.0f%s%s" : "%.3f%s%s", value,
		 *unit ? " " : "", unit);
	return text;
}

const char *wv_column_text(const struct wv_column *column, char *text)
{
	int n = column->beyond ? snprintf(text, WV_COLUMN_TEXT, column->beyond < 0 ? "< " : ">= ")
			       : 0;

	wv_figure_text(column->value, column->unit, text + n);
	return text;
}
