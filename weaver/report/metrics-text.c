// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes metrics for a terminal; see metrics-report.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/notation.h"
#include "module/precision-text.h"
#include "report/figures.h"
#include "report/metrics-report.h"
#include "report/open-starts.h"
#include "report/sparkline.h"
#include "report/visible.h"

/*
 * BAR_WIDTH: length in characters of the longest bar of a histogram.
 * BARS_MAX: maximum number of bars on a logarithmic scale, if merging buckets can achieve it.
 * KEY_WIDTH_MIN, KEY_WIDTH_MAX: limits, in characters, of the width of a key's column.
 * OPEN_SHOWN: number of open pairs that are shown, unless the user wants all.
 */
enum { BAR_WIDTH = 40, BARS_MAX = 24, KEY_WIDTH_MIN = 10, KEY_WIDTH_MAX = 48, OPEN_SHOWN = 5 };

/* ---- writing the rows of a table ------------------------------------------------------------- */

/*
 * Widths in characters of the columns that show a row's key: one column for each value of the key.
 */
struct widths {
	int key[WEFT_KEYS_MAX];
};

static bool is_stack(const struct weft_metric_info *info, size_t key)
{
	return info->key_kinds[key] == WEFT_KEY_STACK;
}

/*
 * Returns the text of the cell for one of the values of a row's key, the one with the index @key.
 * An empty value is shown as two quotes, because an empty cell would look like no value.
 */
static const char *cell_text(const struct wv_metric_row *row, size_t key)
{
	const char *text = wv_row_text(row, key);

	return *text ? text : "\"\"";
}

/*
 * Returns the widths of the key columns. Each is as wide as its longest value, within limits, so
 * that a row's figures stay close to its key.
 */
static struct widths key_widths(const struct wv_metric_reading *reading)
{
	struct widths widths = { 0 };

	for (size_t key = 0; key < reading->info.nr_keys; key++) {
		size_t width = strlen(wv_key_name(&reading->info, key));

		wv_vec_for_each(row, &reading->rows)
			if (strlen(cell_text(row, key)) > width)
				width = strlen(cell_text(row, key));
		if (width > KEY_WIDTH_MAX)
			width = KEY_WIDTH_MAX;
		widths.key[key] = width < KEY_WIDTH_MIN ? KEY_WIDTH_MIN : (int)width;
	}
	return widths;
}

static void add_head(const struct weft_metric_info *info, const struct widths *widths,
		     struct wv_str *out)
{
	static const struct wv_figures none;
	struct wv_column columns[WV_COLUMNS_MAX];
	unsigned int n = wv_metric_columns(info, &none, columns);

	for (size_t key = 0; key < info->nr_keys; key++)
		if (!is_stack(info, key))
			wv_str_addf(out, "  %-*.*s", widths->key[key], widths->key[key],
				    wv_key_name(info, key));
	if (!info->nr_keys || is_stack(info, 0))
		wv_str_addf(out, "  %*s", KEY_WIDTH_MIN, "");
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
}

/*
 * If the view has samples, adds a line of bars for the row's last intervals. @index is the index of
 * the metric in view->samples.
 */
static void add_intervals(const struct wv_metric_reading *reading, const struct wv_metric_row *row,
			  const struct wv_text_view *view, size_t index, struct wv_str *out)
{
	_cleanup_str_ struct wv_str key = { 0 };

	if (!view->samples)
		return;
	wv_row_key(&reading->info, row, &key);
	wv_str_add(out, "  ");
	wv_sparkline(view->samples, index, wv_str_text(&key), view->utf8, out);
}

/* Adds a stack below its row, one function per line. */
static void add_stack(const char *text, struct wv_str *out)
{
	while (*text) {
		const size_t n = strcspn(text, "\n");

		wv_str_addf(out, "      %.*s\n", (int)n, text);
		text += n + (text[n] == '\n');
	}
}

/*
 * Returns the width of all columns of the key together, with the two blanks between columns. A
 * value that is a stack has no column, because add_rows() writes it on lines of its own. But if the
 * first value is a stack, there is an empty column, KEY_WIDTH_MIN wide.
 */
static int others_width(const struct weft_metric_info *info, const struct widths *widths)
{
	int width = is_stack(info, 0) ? KEY_WIDTH_MIN + 2 : 0;

	for (size_t key = 0; key < info->nr_keys; key++)
		if (!is_stack(info, key))
			width += widths->key[key] + 2;
	return width - 2;
}

/* Adds the table of a metric. @index is the index of the metric in view->samples. */
static void add_rows(const struct wv_metric_reading *reading, const struct wv_text_view *view,
		     size_t index, struct wv_str *out)
{
	const struct weft_metric_info *info = &reading->info;
	const struct widths widths = key_widths(reading);
	size_t rows = view->top && view->top < reading->rows.n ? view->top : reading->rows.n;
	struct wv_figures figures;
	size_t from;

	add_head(info, &widths, out);
	for (struct wv_metric_row *row = reading->rows.data; row < reading->rows.data + rows;
	     row++) {
		wv_figures_get(reading, row, &figures);
		from = out->n;
		for (size_t key = 0; key < info->nr_keys; key++)
			if (!is_stack(info, key))
				wv_str_addf(out, "  %-*s", widths.key[key], cell_text(row, key));
		wv_visible_from(out, from);
		if (!info->nr_keys || is_stack(info, 0))
			wv_str_addf(out, "  %*s", KEY_WIDTH_MIN, "");
		add_figures(info, &figures, out);
		add_intervals(reading, row, view, index, out);
		wv_str_add(out, "\n");
		for (size_t key = 0; key < info->nr_keys; key++)
			if (is_stack(info, key))
				add_stack(wv_row_text(row, key), out);
	}
	if (rows < reading->rows.n)
		wv_str_addf(out, "  (%zu more %s)\n", reading->rows.n - rows,
			    wv_plural(reading->rows.n - rows, "row", "rows"));
	if (!reading->others.values)
		return;
	wv_figures_get(reading, &reading->others, &figures);
	wv_str_addf(out, "  %-*s", others_width(info, &widths), "(other keys)");
	add_figures(info, &figures, out);
	wv_str_add(out, "\n");
}

/* ---- writing the bars of a histogram --------------------------------------------------------- */

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

/* Returns the bucket that the @n buckets from index @index on make when they are merged. */
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
 * Adds the histogram of all rows of the metric, one bar per line. On a fine logarithmic scale,
 * merges neighbouring buckets to limit the number of lines. Of empty bars in a row, writes only the
 * first two, and one line "..." for the rest.
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
	/*
	 * Make span.first - 1 a multiple of `step`. Then no merged bucket has a power of two in its
	 * middle, except the one that begins at the value 0. Bucket 0, which is open-ended, is
	 * never merged.
	 */
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

/* ---- writing the whole report ---------------------------------------------------------------- */

/* Adds remarks about what the metric's numbers do not include. */
static void add_remarks(const struct weft_metric_info *info, struct wv_str *out)
{
	struct wv_remark remarks[WV_REMARKS_MAX];
	unsigned int n = wv_remarks(info, remarks);

	for (unsigned int i = 0; i < n; i++)
		wv_str_addf(out, "  %s\n", remarks[i].text);
}

static void add_metric(const struct wv_metric_reading *reading, const struct wv_text_view *view,
		       size_t index, struct wv_str *out)
{
	const struct weft_metric_info *info = &reading->info;
	struct wv_figures figures = { 0 };
	char text[WV_FIGURE_TEXT];

	if (info->type == WEFT_METRIC_COUNTER && !info->rows) {
		if (reading->rows.n)
			wv_figures_get(reading, reading->rows.data, &figures);
		wv_str_addf(out, "%-34s %12s", info->metric,
			    wv_figure_text((double)figures.count, info->unit, text));
		if (view->samples) {
			wv_str_add(out, "  ");
			wv_sparkline(view->samples, index, "", view->utf8, out);
		}
		wv_str_add(out, "\n");
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
		add_rows(reading, view, index, out);
	else
		wv_str_add(out, "  nothing yet\n");
	if (wv_is_histogram(info))
		add_bars(reading, out);
	add_remarks(info, out);
	wv_open_pairs_text(reading, view->all_open ? 0 : OPEN_SHOWN, out);
}

void wv_metrics_text(const struct wv_readings *readings, const struct wv_text_view *view,
		     struct wv_str *out)
{
	for (size_t i = 0; i < readings->list.n; i++)
		add_metric(&readings->list.data[i], view, i, out);
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
