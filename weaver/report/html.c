// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the HTML page; see html.h. The page has a content security policy, by which a browser runs
 * only the page's own script, even if untrusted text brings another script into the page. A page
 * for a file loads nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/json-writer.h"
#include "base/notation.h"
#include "live/running-kernel.h"
#include "module/precision-text.h"
#include "report/figures.h"
#include "report/html-text.h"
#include "report/html.h"
#include "report/metrics-report.h"
#include "report/once-report.h"
#include "report/page-files.h"

void wv_page_facts_get(struct wv_page_facts *ret)
{
	uint8_t id[WEFT_BUILD_ID_MAX];
	struct wv_error ignored;
	struct utsname names;
	size_t n;

	memset(ret, 0, sizeof(*ret));
	ret->at = time(NULL);
	if (!uname(&names)) {
		snprintf(ret->host, sizeof(ret->host), "%s", names.nodename);
		snprintf(ret->release, sizeof(ret->release), "%s", names.release);
		snprintf(ret->version, sizeof(ret->version), "%s", names.version);
	}
	if (!wv_kernel_build_id(id, sizeof(id), &n, &ignored))
		wv_build_id_text(id, n, ret->build_id);
}

/* ---- the beginning and end of the page ------------------------------------------------------- */

static void begin_page(const char *title, enum wv_page_part part, struct wv_str *out)
{
	const bool live = part == WV_PAGE_LIVE;

	wv_str_addf(out, "<!DOCTYPE html>\n<html lang=\"en\"%s><head><meta charset=\"utf-8\">\n",
		    live ? " data-live=\"yes\"" : "");
	wv_str_addf(out,
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		    "script-src 'sha256-%s'; style-src 'unsafe-inline'; base-uri 'none'; "
		    "form-action 'none'%s\">\n",
		    wv_page_script_hash, live ? "; connect-src 'self'" : "");
	wv_str_add(out, "<meta name=\"viewport\" content=\"width=device-width, "
			"initial-scale=1\">\n<title>");
	wv_html_add(out, title);
	wv_str_add(out, " - weft</title>\n<style>");
	if (part != WV_PAGE_CONTENT)
		wv_str_add(out, wv_page_style);
	wv_str_add(out, "</style></head><body>\n<header><h1>");
	wv_html_add(out, title);
	wv_str_add(out, "</h1>\n");
}

/* Adds the end of the page, with @data for the script, which is lines of JSON. */
static void end_page(const struct wv_str *data, enum wv_page_part part, struct wv_str *out)
{
	wv_str_add(out, "</main>\n<noscript><p class=\"note\">The plots need JavaScript; all that "
			"they show is in the tables.</p></noscript>\n<footer>Made by weft. ");
	if (*wv_page_licence && part != WV_PAGE_CONTENT) {
		wv_str_add(out, "<details><summary>Licence of the plotting library</summary><pre>");
		wv_html_add(out, wv_page_licence);
		wv_str_add(out, "</pre></details>");
	}
	wv_str_add(out, "</footer>\n<script type=\"application/json\" id=\"weft-data\">\n");
	wv_html_add_data(out, data);
	wv_str_add(out, "</script>\n");
	if (part != WV_PAGE_CONTENT) {
		wv_str_add(out, "<script>");
		wv_str_add(out, wv_page_script);
		wv_str_add(out, "</script>");
	}
	wv_str_add(out, "</body></html>\n");
}

static void add_fact(const char *name, const char *value, struct wv_str *out)
{
	if (!*value)
		return;
	wv_str_addf(out, "<div><dt>%s</dt><dd>", name);
	wv_html_add(out, value);
	wv_str_add(out, "</dd></div>\n");
}

static void add_facts(const struct wv_page_facts *facts, struct wv_str *out)
{
	char when[64] = "";
	struct tm local;

	if (localtime_r(&facts->at, &local))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S %z", &local);
	add_fact("kernel", facts->release, out);
	add_fact("build-id", facts->build_id, out);
	add_fact("host", facts->host, out);
	add_fact("report of", when, out);
}

/* ---- the header of the page ------------------------------------------------------------------ */

static uint64_t longest_woven(const struct wv_readings *readings)
{
	uint64_t longest = 0;

	wv_vec_for_each(reading, &readings->list)
		if (reading->info.woven > longest)
			longest = reading->info.woven;
	return longest;
}

static void add_places(const struct wv_page_joinpoints *places, struct wv_str *out)
{
	if (!places->list.n)
		return;
	wv_str_addf(out, "<details><summary>%s</summary>\n",
		    wv_count_text(places->all, "joinpoint").text);
	wv_str_add(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
			"aria-label=\"joinpoints\"><table class=\"rows words\" "
			"data-what=\"joinpoints\"><thead><tr><th scope=\"col\">source</th>"
			"<th scope=\"col\">joinpoint</th>"
			"<th scope=\"col\">shadow</th><th scope=\"col\">splice</th></tr></thead>"
			"<tbody>\n");
	wv_vec_for_each(place, &places->list) {
		const struct weft_joinpoint_text *text = &place->text;

		wv_str_add(out, "<tr>");
		wv_html_cell(out, wv_source_text(text->file, text->line, 0).text);
		wv_html_cell(out, text->what);
		wv_html_cell(out, wv_symbol_text(text->symbol, text->symbol_offset).text);
		wv_html_cell(out, place->splice);
		wv_str_add(out, "</tr>\n");
	}
	wv_str_add(out, "</tbody></table></div>\n");
	if (places->all > places->list.n)
		wv_str_addf(out, "<p class=\"note\">%zu more</p>\n", places->all - places->list.n);
	wv_str_add(out, "</details>\n");
}

static void add_header(const struct wv_page *page, struct wv_str *out)
{
	const uint64_t woven = longest_woven(page->readings);
	char text[WV_FIGURE_TEXT] = "";

	wv_str_add(out, "<dl class=\"facts\">\n");
	add_facts(page->facts, out);
	if (woven)
		add_fact("woven for", wv_figure_text((double)woven, "ns", text), out);
	if (page->command)
		add_fact("command", page->command, out);
	wv_str_add(out, "</dl>\n");
	if (page->xml) {
		wv_str_add(out, "<details><summary>The aspect</summary><pre><code>");
		wv_html_add(out, page->xml);
		wv_str_add(out, "</code></pre></details>\n");
	}
	if (page->places)
		add_places(page->places, out);
	wv_str_add(out, "</header>\n<main>\n");
}

/* ---- the section of metrics ------------------------------------------------------------------ */

static void add_remarks(const struct weft_metric_info *info, struct wv_str *out)
{
	struct wv_remark remarks[WV_REMARKS_MAX];
	unsigned int n = wv_remarks(info, remarks);

	for (unsigned int i = 0; i < n; i++) {
		wv_str_addf(out, "<p class=\"%s\">", remarks[i].lost ? "lost" : "note");
		wv_html_add(out, remarks[i].text);
		wv_str_add(out, "</p>\n");
	}
}

static void add_metric(const struct wv_page *page, size_t index, struct wv_str *out)
{
	const struct wv_metric_reading *reading = &page->readings->list.data[index];
	const struct weft_metric_info *info = &reading->info;
	char text[WV_FIGURE_TEXT];

	wv_str_addf(out, "<section class=\"metric\" id=\"metric%zu\"><h2>", index);
	wv_html_add(out, info->metric);
	wv_str_addf(out, "</h2>\n<p class=\"note\">%s", wv_metric_type_name(info->type));
	if (*info->value) {
		wv_str_add(out, " of <code>");
		wv_html_add(out, info->value);
		wv_str_add(out, "</code>");
	}
	wv_str_addf(out, "%s; %s woven%s</p>\n",
		    info->clock == WEFT_CLOCK_CPU ? ", while running" : "",
		    wv_figure_text((double)info->woven, "ns", text),
		    page->samples ? "" : "; totals only (weft run --html has them over time)");
	wv_str_add(out, "<div class=\"plots\"></div>\n");
	if (reading->rows.n)
		wv_html_metric_table(reading, out);
	else
		wv_str_add(out, "<p>nothing yet</p>\n");
	add_remarks(info, out);
	wv_str_add(out, "</section>\n");
}

/* ---- the sections of once-advice, records and the weave's summary ---------------------------- */

/* Adds where the aspect's once-advice has run, and where it has not. */
static void add_once(const struct wv_once *once, struct wv_str *out)
{
	if (!once->list.n)
		return;
	wv_str_addf(out,
		    "<section id=\"once\"><h2>Once</h2>\n<p class=\"note\">%zu of %s %s hit</p>\n",
		    once->nr_hit, wv_count_text(once->list.n, "joinpoint").text,
		    wv_plural(once->list.n, "was", "were"));
	wv_str_add(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
			"aria-label=\"coverage\"><table class=\"rows words\" "
			"data-what=\"joinpoints\"><thead><tr><th scope=\"col\">joinpoint</th>"
			"<th scope=\"col\">source</th>"
			"<th scope=\"col\">hit</th></tr></thead><tbody>\n");
	wv_vec_for_each(joinpoint, &once->list) {
		const struct weft_joinpoint_text *text = &joinpoint->text;

		wv_str_add(out, "<tr>");
		wv_html_cell(out, wv_symbol_text(text->symbol, text->symbol_offset).text);
		wv_html_cell(out, wv_source_text(text->file, text->line, 0).text);
		wv_html_cell(out, joinpoint->hit ? "yes" : "no");
		wv_str_add(out, "</tr>\n");
	}
	wv_str_add(out, "</tbody></table></div></section>\n");
}

static void add_records(const struct wv_page *page, struct wv_str *out)
{
	if (!page->records || !*page->records)
		return;
	wv_str_add(out, "<section id=\"records\"><h2>Records</h2>\n");
	if (page->records_left_out)
		wv_str_addf(out, "<p class=\"note\">the first ones; %zu more</p>\n",
			    page->records_left_out);
	wv_str_add(out, "</section>\n");
}

void wv_page_totals(const struct weft_status *status, const struct wv_spliced *shadows,
		    const struct wv_once *once, struct wv_totals *ret)
{
	memset(ret, 0, sizeof(*ret));
	wv_vec_for_each(shadow, &shadows->list)
		wv_totals_add(ret, wv_splice_of_kind(shadow->kind), WEFT_REFUSAL_NONE);
	ret->by_splice[WV_SPLICE_REFUSED] =
		status->nr_joinpoints - status->nr_splices - once->nr_out;
	ret->matched = status->nr_joinpoints;
}

static void add_splices(const struct wv_totals *totals, struct wv_str *out)
{
	_cleanup_str_ struct wv_str reasons = { 0 };

	wv_str_add(out, "<div class=\"scroll brief\"><table><tr><th>matched</th>");
	for (unsigned int i = 0; i < WV_SPLICES; i++)
		wv_str_addf(out, "<th>%s</th>", wv_splice_name(i));
	wv_str_addf(out, "</tr>\n<tr><td>%zu</td>", totals->matched);
	for (unsigned int i = 0; i < WV_SPLICES; i++)
		wv_str_addf(out, "<td>%zu</td>", totals->by_splice[i]);
	wv_str_add(out, "</tr></table></div>\n");
	wv_reasons_text(totals->refused, &reasons);
	if (reasons.n) {
		wv_str_add(out, "<p class=\"note\">refused: ");
		wv_html_add(out, reasons.data);
		wv_str_add(out, "</p>\n");
	}
}

static void add_summary(const struct wv_page *page, struct wv_str *out)
{
	const struct weft_status *status = page->status;
	_cleanup_str_ struct wv_str inexact = { 0 };

	wv_str_add(out, "<section><h2>Summary</h2>\n");
	if (page->totals)
		add_splices(page->totals, out);
	else
		wv_str_add(out, "<p class=\"note\">not woven now</p>\n");
	if (page->totals && page->once->nr_out)
		wv_str_addf(out, "<p class=\"note\">%zu %s taken out again</p>\n",
			    page->once->nr_out,
			    wv_plural(page->once->nr_out, "has run once and is",
				      "have run once and are"));
	wv_precision_text(status->accesses, &inexact);
	if (inexact.n) {
		wv_str_add(out, "<p class=\"note\">");
		wv_html_add(out, inexact.data);
		wv_str_add(out, "</p>\n");
	}
	wv_str_addf(out,
		    "<div class=\"scroll brief\"><table><tr><th>hits</th><th>missed</th>"
		    "<th>records</th><th>lost</th></tr>\n<tr><td>%llu</td><td>%llu</td>"
		    "<td>%llu</td><td>%llu</td>"
		    "</tr></table></div></section>\n",
		    (unsigned long long)status->hits, (unsigned long long)status->missed,
		    (unsigned long long)status->records, (unsigned long long)status->lost);
}

/* ---- writing whole pages --------------------------------------------------------------------- */

static void add_data(const struct wv_page *page, struct wv_str *data)
{
	if (page->drill)
		wv_str_add(data, page->drill);
	else
		wv_metrics_json(page->status, page->readings, data);
	wv_once_json(page->status->name, page->once, data);
	if (page->samples && !page->drill)
		wv_samples_json(page->samples, page->readings, data);
	if (page->places) {
		wv_page_joinpoints_json(page->places, data);
		wv_page_joinpoints_source(page->places, page->tree, data);
	}
	if (page->records)
		wv_str_add(data, page->records);
}

void wv_page_html(const struct wv_page *page, struct wv_str *out)
{
	_cleanup_str_ struct wv_str data = { 0 };

	begin_page(page->status->name, page->part, out);
	add_header(page, out);
	if (page->drill)
		wv_str_add(out, "<section id=\"drill\"><h2>Calls</h2></section>\n");
	for (size_t i = 0; i < page->readings->list.n && !page->drill; i++)
		add_metric(page, i, out);
	add_once(page->once, out);
	add_records(page, out);
	add_summary(page, out);
	add_data(page, &data);
	end_page(&data, page->part, out);
}

void wv_compare_html(const struct wv_page_facts *facts, const struct wv_compared compared[2],
		     struct wv_str *out)
{
	_cleanup_str_ struct wv_str data = { 0 };
	struct wv_json json = WV_JSON(&data);

	begin_page("Two reports compared", WV_PAGE_WHOLE, out);
	wv_str_add(out, "<dl class=\"facts\">\n");
	add_fact("A", compared[0].name, out);
	add_fact("B", compared[1].name, out);
	add_facts(facts, out);
	wv_str_add(out, "</dl>\n</header>\n<main>\n");
	for (unsigned int i = 0; i < 2; i++) {
		wv_json_begin_object(&json, NULL);
		wv_json_text(&json, "compared", compared[i].name);
		wv_json_str(&json, "text", &compared[i].text);
		wv_json_end_object(&json);
	}
	end_page(&data, WV_PAGE_WHOLE, out);
}

/* ---- a list of aspects ----------------------------------------------------------------------- */

void wv_list_html_begin(const struct wv_page_facts *facts, struct wv_str *out)
{
	begin_page("Aspects", WV_PAGE_WHOLE, out);
	wv_str_add(out, "<dl class=\"facts\">\n");
	add_facts(facts, out);
	wv_str_add(out, "</dl>\n</header>\n<main><section><h2>Aspects</h2>\n"
			"<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
			"aria-label=\"aspects\">"
			"<table class=\"rows words\" data-what=\"aspects\"><thead><tr>"
			"<th scope=\"col\">aspect</th><th scope=\"col\">state</th>"
			"<th scope=\"col\">hits</th><th scope=\"col\">missed</th></tr></thead>"
			"<tbody>\n");
}

void wv_list_html_row(const struct weft_status *status, struct wv_str *out)
{
	wv_str_add(out, "<tr><td><a href=\"aspect/");
	wv_html_add(out, status->name);
	wv_str_add(out, "\">");
	wv_html_add(out, status->name);
	wv_str_addf(out, "</a></td><td>%s</td><td>%llu</td><td>%llu</td></tr>\n",
		    status->state == WEFT_STATE_WOVEN ? "woven" : "not woven",
		    (unsigned long long)status->hits, (unsigned long long)status->missed);
}

void wv_list_html_end(struct wv_str *out)
{
	const struct wv_str none = { 0 };

	wv_str_add(out, "</tbody></table></div></section>\n");
	end_page(&none, WV_PAGE_WHOLE, out);
}
