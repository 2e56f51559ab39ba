// SPDX-License-Identifier: GPL-2.0-or-later
/* Metrics as JSON; see metrics-report.h. */
#include "report/figures.h"
#include "report/metrics-report.h"

static void add_buckets(const struct weft_metric_info *info, const uint64_t *values, struct wv_str *out)
{
	const char *separator = "";

	wv_str_add(out, ",\"buckets\":[");
	for (size_t i = 0; i < wv_nr_buckets(info); i++) {
		struct wv_bucket bucket = wv_bucket_at(info, values, i);

		if (!bucket.count)
			continue;
		wv_str_addf(out, bucket.below ? "%s[null" : "%s[%.0f", separator, bucket.least);
		wv_str_addf(out, bucket.above ? ",null" : ",%.0f", bucket.next);
		wv_str_addf(out, ",%llu]", (unsigned long long)bucket.count);
		separator = ",";
	}
	wv_str_add(out, "]");
}

/* Beyond the buckets nobody knows where. */
static void add_percentile(const char *name, const struct wv_percentile *percentile, struct wv_str *out)
{
	if (percentile->beyond)
		wv_str_addf(out, ",\"%s\":null", name);
	else
		wv_str_addf(out, ",\"%s\":%.1f", name, percentile->value);
}

static void add_row(const struct wv_metric_reading *reading, const struct wv_metric_row *row, struct wv_str *out)
{
	const struct weft_metric_info *info = &reading->info;
	struct wv_figures figures;

	wv_figures_get(reading, row, &figures);
	wv_str_add(out, "{");
	if (info->rows) {
		wv_str_add(out, "\"key\":");
		wv_str_add_json(out, row->text);
		wv_str_addf(out, ",\"key_number\":\"%#llx\",", (unsigned long long)row->key);
	}
	wv_str_addf(out, "\"count\":%llu", (unsigned long long)figures.count);
	if (info->type != WEFT_METRIC_COUNTER)
		wv_str_addf(out, ",\"sum\":%lld,\"mean\":%.3f", (long long)figures.sum, figures.mean);
	if (info->type == WEFT_METRIC_CONCURRENCY)
		wv_str_addf(out, ",\"average\":%.6f", figures.average);
	if (figures.has_percentiles) {
		add_percentile("p50", &figures.p50, out);
		add_percentile("p90", &figures.p90, out);
		add_percentile("p99", &figures.p99, out);
		add_percentile("max", &figures.max, out);
	}
	if (wv_is_histogram(info))
		add_buckets(info, row->values, out);
	wv_str_add(out, "}");
}

static void add_metric(const char *aspect, const struct wv_metric_reading *reading, struct wv_str *out)
{
	const struct weft_metric_info *info = &reading->info;

	wv_str_add(out, "{\"aspect\":");
	wv_str_add_json(out, aspect);
	wv_str_add(out, ",\"metric\":");
	wv_str_add_json(out, info->metric);
	wv_str_addf(out, ",\"type\":\"%s\",\"unit\":", wv_metric_type_name(info->type));
	wv_str_add_json(out, info->unit);
	if (*info->value) {
		wv_str_add(out, ",\"value\":");
		wv_str_add_json(out, info->value);
	}
	if (info->rows) {
		wv_str_add(out, ",\"by\":");
		wv_str_add_json(out, info->by);
	}
	if (info->type == WEFT_METRIC_ELAPSED || info->type == WEFT_METRIC_CONCURRENCY)
		wv_str_addf(out, ",\"clock\":\"%s\",\"open\":%llu,\"unmatched\":%llu,\"dropped\":%llu",
			    info->clock == WEFT_CLOCK_CPU ? "cpu" : "wall", (unsigned long long)info->open,
			    (unsigned long long)info->unmatched, (unsigned long long)info->dropped);
	if (wv_is_histogram(info))
		wv_str_addf(out, ",\"error\":%.6f", wv_bucket_error(info));
	wv_str_addf(out, ",\"shadows\":%u,\"shadows_refused\":%u", info->shadows, info->shadows_refused);
	if (info->ends)
		wv_str_addf(out, ",\"ends\":%u,\"ends_refused\":%u", info->ends, info->ends_refused);
	wv_str_addf(out, ",\"woven_ns\":%llu,\"full\":%llu,\"rows\":[", (unsigned long long)info->woven,
		    (unsigned long long)info->full);
	wv_vec_for_each(row, &reading->rows) {
		if (row != reading->rows.data)
			wv_str_add(out, ",");
		add_row(reading, row, out);
	}
	wv_str_add(out, "]}\n");
}

void wv_metrics_json(const char *aspect, const struct wv_readings *readings, struct wv_str *out)
{
	wv_vec_for_each(reading, &readings->list)
		add_metric(aspect, reading, out);
}
