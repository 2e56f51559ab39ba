// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the HTML page; see html.h. Plots are drawn in user units, so that they scale with the
 * page.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/notation.h"
#include "module/precision-text.h"
#include "report/figures.h"
#include "report/html.h"
#include "splice/totals.h"

enum {
	PLOT_WIDTH = 720,
	PLOT_HEIGHT = 180,
	PLOT_LEFT = 60,
	PLOT_BOTTOM = 40,
	BAR_ROWS = 20, /* maximum number of rows of a table that get a bar */
	LABELS = 8,    /* maximum number of labels along an axis */
};

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";
static const char style[] =
	"</title>\n<style>\n"
	":root{color-scheme:light dark;--line:#8884;--bar:#3b7dd8}\n"
	"body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 "
	"1rem}\n"
	"h1{font-size:1.5rem}h2{font-size:1.1rem;margin:2rem 0 .3rem}\n"
	"table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
	"th,td{padding:.15rem .7rem;border-bottom:1px solid var(--line);text-align:right}\n"
	"th:first-child,td:first-child,.key{text-align:left}.key{white-space:pre-line}\n"
	"svg{width:100%;height:auto;margin-top:.6rem}svg text{font-size:11px;fill:currentColor}\n"
	"svg.share{width:6rem;margin:0}.bar{fill:var(--bar)}.axis{stroke:currentColor;stroke-width:"
	"1}\n"
	".lost{color:#c33;font-weight:600}.note{opacity:.75}code{font-size:.95em}\n"
	"</style></head><body>\n";

static void add_escaped(struct wv_str *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			wv_str_add(out, "&lt;");
		else if (*text == '>')
			wv_str_add(out, "&gt;");
		else if (*text == '&')
			wv_str_add(out, "&amp;");
		else if (*text == '"')
			wv_str_add(out, "&quot;");
		else if ((unsigned char)*text >= ' ' || *text == '\n' || *text == '\t')
			wv_str_add_n(out, text, 1);
	}
}

static void add_cell(struct wv_str *out, const char *text)
{
	wv_str_add(out, "<td>");
	add_escaped(out, text);
	wv_str_add(out, "</td>");
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void add_head(const struct weft_metric_info *info, struct wv_str *out)
{
	static const struct wv_figures none;
	struct wv_column columns[WV_COLUMNS_MAX];
	unsigned int n = wv_metric_columns(info, &none, columns);

	wv_str_add(out, info->nr_keys ? "<tr>" : "<tr><th></th>");
	for (size_t key = 0; key < info->nr_keys; key++) {
		wv_str_add(out, "<th class=\"key\">");
		add_escaped(out, wv_key_name(info, key));
		wv_str_add(out, "</th>");
	}
	for (unsigned int i = 0; i < n; i++)
		wv_str_addf(out, "<th>%s</th>", columns[i].head);
	wv_str_addf(out, "%s</tr>\n", info->rows ? "<th></th>" : "");
}

static void add_figures(const struct weft_metric_info *info, const struct wv_figures *figures,
			struct wv_str *out)
{
	struct wv_column columns[WV_COLUMNS_MAX];
	unsigned int n = wv_metric_columns(info, figures, columns);
	char text[WV_COLUMN_TEXT];

	for (unsigned int i = 0; i < n; i++)
		add_cell(out, wv_column_text(&columns[i], text));
}

static void add_share(struct wv_str *out, double share)
{
	wv_str_addf(out,
		    "<td><svg class=\"share\" viewBox=\"0 0 100 8\"><rect class=\"bar\" "
		    "width=\"%.1f\" height=\"8\"/></svg></td>",
		    share * 100);
}

static double weight(const struct weft_metric_info *info, const struct wv_figures *figures)
{
	return info->type == WEFT_METRIC_SUM || info->type == WEFT_METRIC_CONCURRENCY ?
		       (double)figures->sum : (double)figures->count;
}

static void add_table(const struct wv_metric_reading *reading, struct wv_str *out)
{
	const struct weft_metric_info *info = &reading->info;
	struct wv_figures figures;
	double most = 0;

	wv_str_add(out, "<table>");
	add_head(info, out);
	wv_vec_for_each(row, &reading->rows) {
		size_t index = row - reading->rows.data;

		wv_figures_get(reading, row, &figures);
		if (!index)
			most = weight(info, &figures);
		wv_str_add(out, "<tr>");
		for (size_t key = 0; key < info->nr_keys; key++) {
			wv_str_add(out, "<td class=\"key\">");
			add_escaped(out, wv_row_text(row, key));
			wv_str_add(out, "</td>");
		}
		if (!info->nr_keys)
			add_cell(out, "");
		add_figures(info, &figures, out);
		if (info->rows && index < BAR_ROWS && most > 0)
			add_share(out, weight(info, &figures) / most);
		wv_str_add(out, "</tr>\n");
	}
	if (reading->others.values) {
		wv_figures_get(reading, &reading->others, &figures);
		wv_str_addf(out, "<tr><td colspan=\"%u\">(other keys)</td>", info->nr_keys);
		add_figures(info, &figures, out);
		wv_str_add(out, "</tr>\n");
	}
	wv_str_add(out, "</table>\n");
}

/* ---- plots ----------------------------------------------------------------------------------- */

static void add_label(struct wv_str *out, double x, double value, const char *unit)
{
	char text[WV_FIGURE_TEXT];

	wv_str_addf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x,
		    PLOT_HEIGHT - PLOT_BOTTOM + 16);
	add_escaped(out, wv_figure_text(value, unit, text));
	wv_str_add(out, "</text>\n");
}

static void add_bar(struct wv_str *out, const struct weft_metric_info *info,
		    const struct wv_bucket *bucket, double x, double width, double share)
{
	double height = share * (PLOT_HEIGHT - PLOT_BOTTOM - 10);
	char least[WV_FIGURE_TEXT], next[WV_FIGURE_TEXT];

	wv_str_addf(
		out,
		"<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>",
		x, PLOT_HEIGHT - PLOT_BOTTOM - height, width * 0.9, height);
	add_escaped(out, bucket->below ? "" : wv_figure_text(bucket->least, info->unit, least));
	wv_str_add(out, " ... ");
	add_escaped(out, bucket->above ? "" : wv_figure_text(bucket->next, info->unit, next));
	wv_str_addf(out, ": %llu</title></rect>\n", (unsigned long long)bucket->count);
}

static void add_plot(const struct wv_metric_reading *reading, struct wv_str *out)
{
	const struct weft_metric_info *info = &reading->info;
	struct wv_metric_row total = wv_reading_total(reading);
	struct wv_histogram_span span;
	double width;
	size_t n;

	if (!total.values || !wv_histogram_span(info, total.values, &span)) {
		free(total.values);
		return;
	}
	n = span.last - span.first + 1;
	width = (double)(PLOT_WIDTH - PLOT_LEFT) / (double)n;
	wv_str_addf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\">\n", PLOT_WIDTH, PLOT_HEIGHT);
	wv_str_addf(out, "<path class=\"axis\" fill=\"none\" d=\"M%d 5V%dH%d\"/>\n", PLOT_LEFT,
		    PLOT_HEIGHT - PLOT_BOTTOM, PLOT_WIDTH);
	wv_str_addf(out, "<text x=\"%d\" y=\"14\" text-anchor=\"end\">%llu</text>\n", PLOT_LEFT - 6,
		    (unsigned long long)span.most);
	for (size_t i = 0; i < n; i++) {
		struct wv_bucket bucket = wv_bucket_at(info, total.values, span.first + i);
		double x = PLOT_LEFT + width * (double)i;

		if (bucket.count)
			add_bar(out, info, &bucket, x, width,
				(double)bucket.count / (double)span.most);
		if (!bucket.below && i % ((n + LABELS - 1) / LABELS) == 0)
			add_label(out, x, bucket.least, info->unit);
	}
	wv_str_add(out, "</svg>\n");
	free(total.values);
}

/* ---- the page -------------------------------------------------------------------------------- */

static void add_remarks(const struct weft_metric_info *info, struct wv_str *out)
{
	struct wv_remark remarks[WV_REMARKS_MAX];
	unsigned int n = wv_remarks(info, remarks);

	for (unsigned int i = 0; i < n; i++) {
		wv_str_addf(out, "<p class=\"%s\">", remarks[i].lost ? "lost" : "note");
		add_escaped(out, remarks[i].text);
		wv_str_add(out, "</p>\n");
	}
}

static void add_metric(const struct wv_metric_reading *reading, struct wv_str *out)
{
	const struct weft_metric_info *info = &reading->info;

	wv_str_add(out, "<section><h2>");
	add_escaped(out, info->metric);
	wv_str_addf(out, "</h2>\n<p class=\"note\">%s", wv_metric_type_name(info->type));
	if (*info->value) {
		wv_str_add(out, " of <code>");
		add_escaped(out, info->value);
		wv_str_add(out, "</code>");
	}
	wv_str_addf(out, "%s; %.3f s woven</p>\n",
		    info->clock == WEFT_CLOCK_CPU ? ", while running" : "",
		    (double)info->woven / 1e9);
	if (reading->rows.n)
		add_table(reading, out);
	else
		wv_str_add(out, "<p>nothing yet</p>\n");
	if (wv_is_histogram(info))
		add_plot(reading, out);
	add_remarks(info, out);
	wv_str_add(out, "</section>\n");
}

/* Adds where advice that runs once has run, and where it has not. */
static void add_once(const struct wv_once *once, struct wv_str *out)
{
	if (!once->list.n)
		return;
	wv_str_addf(out, "<section><h2>Once</h2>\n<p class=\"note\">%zu of %s %s hit</p>\n",
		    once->nr_hit, wv_count_text(once->list.n, "joinpoint").text,
		    wv_plural(once->list.n, "was", "were"));
	wv_str_add(out, "<table><tr><th>joinpoint</th><th>source</th><th>hit</th></tr>\n");
	wv_vec_for_each(joinpoint, &once->list) {
		const struct weft_joinpoint_text *text = &joinpoint->text;

		wv_str_add(out, "<tr>");
		add_cell(out, wv_symbol_text(text->symbol, text->symbol_offset).text);
		add_cell(out, wv_source_text(text->file, text->line, 0).text);
		add_cell(out, joinpoint->hit ? "yes" : "no");
		wv_str_add(out, "</tr>\n");
	}
	wv_str_add(out, "</table></section>\n");
}

/*
 * Adds the numbers of splices by kind. Called only while the aspect is woven: then a shadow without
 * a splice was refused, or its advice has run once and was taken out.
 */
static void add_splices(const struct weft_status *status, const struct wv_spliced *shadows,
			const struct wv_once *once, struct wv_str *out)
{
	struct wv_totals totals = { 0 };

	wv_vec_for_each(shadow, &shadows->list)
		wv_totals_add(&totals, wv_splice_of_kind(shadow->kind), WEFT_REFUSAL_NONE);
	totals.by_splice[WV_SPLICE_REFUSED] =
		status->nr_joinpoints - status->nr_splices - once->nr_out;
	wv_str_add(out, "<table><tr><th>matched</th>");
	for (unsigned int i = 0; i < WV_SPLICES; i++)
		wv_str_addf(out, "<th>%s</th>", wv_splice_name(i));
	wv_str_addf(out, "</tr>\n<tr><td>%u</td>", status->nr_joinpoints);
	for (unsigned int i = 0; i < WV_SPLICES; i++)
		wv_str_addf(out, "<td>%zu</td>", totals.by_splice[i]);
	wv_str_add(out, "</tr></table>\n");
	if (once->nr_out)
		wv_str_addf(out, "<p class=\"note\">%zu %s taken out again</p>\n", once->nr_out,
			    wv_plural(once->nr_out, "has run once and is",
				      "have run once and are"));
}

static void add_summary(const struct weft_status *status, const struct wv_spliced *shadows,
			const struct wv_once *once, struct wv_str *out)
{
	_cleanup_str_ struct wv_str inexact = { 0 };

	wv_str_add(out, "<section><h2>Summary</h2>\n");
	if (status->state == WEFT_STATE_WOVEN)
		add_splices(status, shadows, once, out);
	else
		wv_str_add(out, "<p class=\"note\">not woven now</p>\n");
	wv_precision_text(status->accesses, &inexact);
	if (inexact.n) {
		wv_str_add(out, "<p class=\"note\">");
		add_escaped(out, inexact.data);
		wv_str_add(out, "</p>\n");
	}
	wv_str_addf(
		out,
		"<table><tr><th>hits</th><th>missed</th><th>records</th><th>lost</th></tr>\n"
		"<tr><td>%llu</td><td>%llu</td><td>%llu</td><td>%llu</td></tr></table></section>\n",
		(unsigned long long)status->hits, (unsigned long long)status->missed,
		(unsigned long long)status->records, (unsigned long long)status->lost);
}

void wv_metrics_html(const struct weft_status *status, const struct wv_spliced *shadows,
		     const struct wv_readings *readings, const struct wv_once *once,
		     struct wv_str *out)
{
	wv_str_add(out, head);
	add_escaped(out, status->name);
	wv_str_add(out, style);
	wv_str_add(out, "<h1>");
	add_escaped(out, status->name);
	wv_str_add(out, "</h1>\n");
	wv_vec_for_each(reading, &readings->list)
		add_metric(reading, out);
	add_once(once, out);
	add_summary(status, shadows, once, out);
	wv_str_add(out, "</body></html>\n");
}
