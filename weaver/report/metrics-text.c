// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes metrics for a terminal; see metrics-report.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/notation.h"
#include "module/precision-text.h"
#include "report/figures.h"
#include "report/metrics-report.h"

enum { BAR_WIDTH = 40, BARS_MAX = 24, KEY_WIDTH_MIN = 12, KEY_WIDTH_MAX = 48 };

/* ---- rows ------------------------------------------------------------------------------------ */

/* As wide as its longest key, within limits: the figures stay next to what they belong to. */
static int key_width(const struct wv_metric_reading *reading)
{
	size_t width = strlen(reading->info.by);

	wv_vec_for_each(row, &reading->rows)
		if (strlen(row->text) > width)
			width = strlen(row->text);
	if (width > KEY_WIDTH_MAX)
		return KEY_WIDTH_MAX;
	return width < KEY_WIDTH_MIN ? KEY_WIDTH_MIN : width;
}

static void add_head(const struct weft_metric_info *info, int width, struct wv_str *out)
{
	static const struct wv_figures none;
	struct wv_column columns[WV_COLUMNS_MAX];
	unsigned int n = wv_metric_columns(info, &none, columns);

	wv_str_addf(out, "  %-*.*s", width, width, info->by);
	for (unsigned int i = 0; i < n; i++)
		wv_str_addf(out, " %10s", columns[i].head);
	wv_str_add(out, "\n");
}

static void add_figures(const struct weft_metric_info *info, const struct wv_figures *figures,
			struct wv_str *out)
{
	struct wv_column columns[WV_COLUMNS_MAX];
	unsigned int n = wv_metric_columns(info, figures, columns);
	char text[WV_COLUMN_TEXT];

	for (unsigned int i = 0; i < n; i++)
		wv_str_addf(out, " %10s", wv_column_text(&columns[i], text));
	wv_str_add(out, "\n");
}

static void add_rows(const struct wv_metric_reading *reading, struct wv_str *out)
{
	const int width = key_width(reading);
	struct wv_figures figures;

	add_head(&reading->info, width, out);
	wv_vec_for_each(row, &reading->rows) {
		wv_figures_get(reading, row, &figures);
		wv_str_addf(out, "  %-*s", width,
			    *row->text		 ? row->text
			    : reading->info.rows ? "\"\""
						 : "");
		add_figures(&reading->info, &figures, out);
	}
}

/* ---- bars ------------------------------------------------------------------------------------ */

static void add_bucket(const struct weft_metric_info *info, const struct wv_bucket *bucket,
		       uint64_t most, struct wv_str *out)
{
	char least[WV_FIGURE_TEXT], greatest[WV_FIGURE_TEXT];
	unsigned int width = most ? (unsigned int)(bucket->count * BAR_WIDTH / most) : 0;

	wv_figure_text(bucket->least, info->unit, least);
	wv_figure_text(bucket->next, info->unit, greatest);
	wv_str_addf(out, "  %10s %s %-10s", bucket->below ? "" : least,
		    bucket->below   ? "  <"
		    : bucket->above ? ".. "
				    : "..<",
		    bucket->above ? "" : greatest);
	wv_str_addf(out, " %12llu |", (unsigned long long)bucket->count);
	for (unsigned int i = 0; i < width; i++)
		wv_str_add(out, "#");
	wv_str_add(out, !width && bucket->count ? ".\n" : "\n");
}

/* Merges @n buckets, beginning with bucket @index, into one. */
static struct wv_bucket join(const struct weft_metric_info *info, const uint64_t *values,
			     size_t index, size_t n)
{
	struct wv_bucket joined = wv_bucket_at(info, values, index);

	for (size_t i = 1; i < n; i++) {
		struct wv_bucket bucket = wv_bucket_at(info, values, index + i);

		joined.count += bucket.count;
		joined.next = bucket.next;
		joined.above = bucket.above;
	}
	return joined;
}

/*
 * Prints the bars. Fine buckets are merged until the number of lines is small; several empty bars
 * in a row become one line.
 */
static void add_bars(const struct wv_metric_reading *reading, struct wv_str *out)
{
	const struct weft_metric_info *info = &reading->info;
	struct wv_metric_row total = wv_reading_total(reading);
	struct wv_histogram_span span;
	uint64_t most = 0;
	size_t step = 1, empty = 0;

	if (!total.values || !wv_histogram_span(info, total.values, &span)) {
		free(total.values);
		return;
	}
	while ((span.last - span.first) / step >= BARS_MAX && step < 1u << info->fine)
		step *= 2;
	/* Align the first bucket to a power of two. */
	if (span.first)
		span.first -= (span.first - 1) % step;
	for (int draw = 0; draw < 2; draw++) {
		for (size_t i = span.first; i <= span.last; i += i ? step : 1) {
			size_t rest = wv_nr_buckets(info) - i;
			struct wv_bucket bucket = join(info, total.values, i,
						       !i	     ? 1
						       : rest < step ? rest
								     : step);

			if (bucket.count > most)
				most = bucket.count;
			empty = bucket.count ? 0 : empty + 1;
			if (draw && empty < 3)
				add_bucket(info, &bucket, most, out);
			else if (draw && empty == 3)
				wv_str_add(out, "  ...\n");
		}
	}
	free(total.values);
}

/* ---- the whole report ------------------------------------------------------------------------ */

/* Adds remarks about what the numbers above do not include. */
static void add_remarks(const struct weft_metric_info *info, struct wv_str *out)
{
	struct wv_remark remarks[WV_REMARKS_MAX];
	unsigned int n = wv_remarks(info, remarks);

	for (unsigned int i = 0; i < n; i++)
		wv_str_addf(out, "  %s\n", remarks[i].text);
}

static void add_metric(const struct wv_metric_reading *reading, struct wv_str *out)
{
	const struct weft_metric_info *info = &reading->info;
	struct wv_figures figures = { 0 };
	char text[WV_FIGURE_TEXT];

	if (info->type == WEFT_METRIC_COUNTER && !info->rows) {
		if (reading->rows.n)
			wv_figures_get(reading, reading->rows.data, &figures);
		wv_str_addf(out, "%-34s %12s\n", info->metric,
			    wv_figure_text((double)figures.count, info->unit, text));
		add_remarks(info, out);
		return;
	}
	wv_str_addf(out, "\n%s", info->metric);
	if (*info->value)
		wv_str_addf(out, ": %s", info->value);
	if (info->clock == WEFT_CLOCK_CPU)
		wv_str_add(out, " (while running)");
	wv_str_add(out, "\n");
	if (reading->rows.n)
		add_rows(reading, out);
	else
		wv_str_add(out, "  nothing yet\n");
	if (wv_is_histogram(info))
		add_bars(reading, out);
	add_remarks(info, out);
}

void wv_metrics_text(const struct wv_readings *readings, struct wv_str *out)
{
	wv_vec_for_each(reading, &readings->list)
		add_metric(reading, out);
}

void wv_unseen_lines(const struct wv_readings *readings, struct wv_str *out)
{
	char unseen[WV_UNSEEN_TEXT];

	wv_vec_for_each(reading, &readings->list)
		if (wv_unseen_text(&reading->info, unseen))
			wv_str_addf(out, "  %s does not see %s\n", reading->info.metric, unseen);
}

void wv_inexact_text(const struct weft_status *status, struct wv_str *out)
{
	_cleanup_str_ struct wv_str text = { 0 };

	wv_precision_text(status->accesses, &text);
	if (text.n)
		wv_str_addf(out, "  %s\n", text.data);
}

void wv_dropped_text(const struct weft_status *status, struct wv_str *out)
{
	if (status->dropped)
		wv_str_addf(out,
			    "  NOT KEPT: %s found no room for what %s of the task; "
			    "more tasks=\"\" would help\n",
			    wv_count_text(status->dropped, "hit").text,
			    wv_plural(status->dropped, "it keeps", "they keep"));
	if (status->no_stack)
		wv_str_addf(out,
			    "  NO STACK: %s of those missed found too little of the stack left; "
			    "less stack=\"\" would help\n",
			    wv_count_text(status->no_stack, "hit").text);
}
