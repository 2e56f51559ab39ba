// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes pieces of HTML; see html-text.h. */
#include <stdlib.h>
#include <string.h>

#include "report/figures.h"
#include "report/html-text.h"

void wv_html_add(struct wv_str *out, const char *text)
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
		else if (*text == '\'')
			wv_str_add(out, "&#39;");
		else if ((unsigned char)*text >= ' ' || *text == '\n' || *text == '\t')
			wv_str_add_n(out, text, 1);
	}
}

void wv_html_cell(struct wv_str *out, const char *text)
{
	wv_str_add(out, "<td>");
	wv_html_add(out, text);
	wv_str_add(out, "</td>");
}

/*
 * Replaces each '<' by the JSON escape \u003c, so that the data cannot contain "</script>". The
 * result is the same JSON, which has '<' only inside strings.
 */
void wv_html_add_data(struct wv_str *out, const struct wv_str *lines)
{
	const char *at = wv_str_text(lines);

	out->failed |= lines->failed;
	for (const char *end; *at; at = end) {
		end = strchrnul(at, '<');
		wv_str_add_n(out, at, (size_t)(end - at));
		if (*end) {
			wv_str_add(out, "\\u003c");
			end++;
		}
	}
}

/* ---- the table of a metric ------------------------------------------------------------------- */

static void add_head(const struct weft_metric_info *info, bool shares, struct wv_str *out)
{
	static const struct wv_figures none;
	struct wv_column columns[WV_COLUMNS_MAX];
	unsigned int n = wv_metric_columns(info, &none, columns);

	wv_str_add(out, info->nr_keys ? "<thead><tr>" : "<thead><tr><th scope=\"col\"></th>");
	for (size_t key = 0; key < info->nr_keys; key++) {
		wv_str_add(out, "<th scope=\"col\" class=\"key\">");
		wv_html_add(out, wv_key_name(info, key));
		wv_str_add(out, "</th>");
	}
	for (unsigned int i = 0; i < n; i++)
		wv_str_addf(out, "<th scope=\"col\">%s</th>", columns[i].head);
	wv_str_addf(out, "%s</tr></thead>\n", shares ? "<th scope=\"col\">share</th>" : "");
}

static void add_figures(const struct weft_metric_info *info, const struct wv_figures *figures,
			struct wv_str *out)
{
	struct wv_column columns[WV_COLUMNS_MAX];
	unsigned int n = wv_metric_columns(info, figures, columns);
	char text[WV_COLUMN_TEXT];

	for (unsigned int i = 0; i < n; i++) {
		if (*columns[i].unit)
			wv_str_addf(out, "<td data-v=\"%.10g\">", columns[i].value);
		else
			wv_str_add(out, "<td>");
		wv_html_add(out, wv_column_text(&columns[i], text));
		wv_str_add(out, "</td>");
	}
}

/*
 * Returns the value of a row from which its share is computed: for a counter or histogram the
 * number of hits, for other metrics the sum, which is a time or an amount.
 */
static double cost(const struct weft_metric_info *info, const struct wv_figures *figures)
{
	return info->type == WEFT_METRIC_COUNTER || info->type == WEFT_METRIC_HISTOGRAM
		       ? (double)figures->count
		       : (double)figures->sum;
}

static void add_share(double share, struct wv_str *out)
{
	if (share < 0)
		share = 0;
	wv_str_addf(out,
		    "<td class=\"share\" data-v=\"%.4f\"><i style=\"width:%.1f%%\"></i>%.1f "
		    "%%</td>",
		    share, share * 100, share * 100);
}

/*
 * Adds a row to the table's foot, with @name in the place of a key. @figures are those of all rows
 * together, or those of the hits that found no row.
 */
static void add_sum(const char *name, const struct weft_metric_info *info,
		    const struct wv_figures *figures, bool shares, struct wv_str *out)
{
	wv_str_addf(out, "<tr><td colspan=\"%u\">%s</td>", info->nr_keys ? info->nr_keys : 1, name);
	add_figures(info, figures, out);
	wv_str_add(out, shares ? "<td></td></tr>\n" : "</tr>\n");
}

/* Adds the values of a row's key, each in a cell. */
static void add_keys(const struct weft_metric_info *info, const struct wv_metric_row *row,
		     struct wv_str *out)
{
	for (size_t key = 0; key < info->nr_keys; key++) {
		const char *text = wv_row_text(row, key);

		wv_str_add(out, "<td class=\"key\">");
		wv_html_add(out, *text ? text : "\"\"");
		wv_str_add(out, "</td>");
	}
	if (!info->nr_keys)
		wv_html_cell(out, "");
}

static void add_total(const struct wv_metric_reading *reading, bool shares, struct wv_str *out)
{
	struct wv_metric_row total = wv_reading_total(reading);
	struct wv_figures figures;

	out->failed |= !total.values;
	if (!total.values)
		return;
	wv_figures_get(reading, &total, &figures);
	add_sum("all", &reading->info, &figures, shares, out);
	free(total.values);
}

void wv_html_metric_table(const struct wv_metric_reading *reading, struct wv_str *out)
{
	const struct weft_metric_info *info = &reading->info;
	const bool shares = info->rows && reading->rows.n > 1;
	struct wv_figures figures;
	double all = 0;

	wv_vec_for_each(row, &reading->rows) {
		wv_figures_get(reading, row, &figures);
		all += cost(info, &figures) > 0 ? cost(info, &figures) : 0;
	}
	wv_str_add(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"rows "
			"of the metric\"><table class=\"rows\" data-what=\"keys\">");
	add_head(info, shares, out);
	wv_str_add(out, "<tbody>");
	wv_vec_for_each(row, &reading->rows) {
		wv_figures_get(reading, row, &figures);
		wv_str_add(out, "<tr>");
		add_keys(info, row, out);
		add_figures(info, &figures, out);
		if (shares)
			add_share(all > 0 ? cost(info, &figures) / all : 0, out);
		wv_str_add(out, "</tr>\n");
	}
	wv_str_add(out, "</tbody><tfoot>");
	if (reading->others.values) {
		wv_figures_get(reading, &reading->others, &figures);
		add_sum("(other keys)", info, &figures, shares, out);
	}
	if (reading->rows.n > 1)
		add_total(reading, shares, out);
	wv_str_add(out, "</tfoot></table></div>\n");
}
