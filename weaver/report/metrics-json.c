// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes metrics as JSON; see metrics-report.h. */
#include "base/json-writer.h"
#include "module/precision-text.h"
#include "report/figures.h"
#include "report/metrics-report.h"
#include "report/open-starts.h"

/* Adds a bucket as [LEAST, NEXT, COUNT]; LEAST or NEXT is null if the bucket has no such end. */
static void add_bucket(const struct wv_bucket *bucket, struct wv_json *json)
{
	wv_json_begin_array(json, NULL);
	if (bucket->below)
		wv_json_null(json, NULL);
	else
		wv_json_real(json, NULL, bucket->least, 0);
	if (bucket->above)
		wv_json_null(json, NULL);
	else
		wv_json_real(json, NULL, bucket->next, 0);
	wv_json_unsigned(json, NULL, bucket->count);
	wv_json_end_array(json);
}

static void add_buckets(const struct weft_metric_info *info, const uint64_t *values,
			struct wv_json *json)
{
	wv_json_begin_array(json, "buckets");
	for (size_t i = 0; i < wv_nr_buckets(info); i++) {
		struct wv_bucket bucket = wv_bucket_at(info, values, i);

		if (bucket.count)
			add_bucket(&bucket, json);
	}
	wv_json_end_array(json);
}

/* Adds a percentile. Adds null if it is in an open-ended bucket, as its value is not known then. */
static void add_percentile(const char *name, const struct wv_percentile *percentile,
			   struct wv_json *json)
{
	if (percentile->beyond)
		wv_json_null(json, name);
	else
		wv_json_real(json, name, percentile->value, 1);
}

/*
 * Adds "key", one text with all values that the row's key is made of, and "key_number". If there
 * are several values, also adds "keys", an array of them.
 */
static void add_keys(const struct weft_metric_info *info, const struct wv_metric_row *row,
		     struct wv_json *json)
{
	_cleanup_str_ struct wv_str all = { 0 };

	wv_row_key(info, row, &all);
	json->out->failed |= all.failed;
	wv_json_text(json, "key", wv_str_text(&all));
	wv_json_hex(json, "key_number", row->key);
	if (info->nr_keys < 2)
		return;
	wv_json_begin_array(json, "keys");
	for (size_t key = 0; key < info->nr_keys; key++)
		wv_json_text(json, NULL, wv_row_text(row, key));
	wv_json_end_array(json);
}

/* Adds "by", which says what the metric's keys are made of, in the author's words. */
static void add_by(const struct weft_metric_info *info, struct wv_json *json)
{
	_cleanup_str_ struct wv_str all = { 0 };

	for (size_t key = 0; key < info->nr_keys; key++)
		wv_str_addf(&all, "%s%s", key ? ", " : "", wv_key_name(info, key));
	json->out->failed |= all.failed;
	wv_json_text(json, "by", wv_str_text(&all));
}

static void add_row(const struct wv_metric_reading *reading, const struct wv_metric_row *row,
		    const char *name, struct wv_json *json)
{
	const struct weft_metric_info *info = &reading->info;
	struct wv_figures figures;

	wv_figures_get(reading, row, &figures);
	wv_json_begin_object(json, name);
	if (info->rows && !name) {
		add_keys(info, row, json);
	}
	wv_json_unsigned(json, "count", figures.count);
	if (info->type != WEFT_METRIC_COUNTER) {
		wv_json_signed(json, "sum", figures.sum);
		wv_json_real(json, "mean", figures.mean, 3);
	}
	if (info->type == WEFT_METRIC_CONCURRENCY)
		wv_json_real(json, "average", figures.average, 6);
	if (figures.has_percentiles) {
		wv_json_real(json, "min", figures.min, 0);
		add_percentile("p50", &figures.p50, json);
		add_percentile("p90", &figures.p90, json);
		add_percentile("p99", &figures.p99, json);
		wv_json_real(json, "max", figures.max, 0);
	}
	if (wv_is_histogram(info))
		add_buckets(info, row->values, json);
	wv_json_end_object(json);
}

static void add_metric(const struct weft_status *status, const struct wv_metric_reading *reading,
		       struct wv_json *json)
{
	const struct weft_metric_info *info = &reading->info;

	wv_json_begin_object(json, NULL);
	wv_json_text(json, "aspect", status->name);
	wv_json_text(json, "metric", info->metric);
	wv_json_text(json, "type", wv_metric_type_name(info->type));
	wv_json_text(json, "unit", info->unit);
	wv_json_text_if(json, "value", info->value);
	if (info->rows)
		add_by(info, json);
	if (info->type == WEFT_METRIC_ELAPSED || info->type == WEFT_METRIC_CONCURRENCY) {
		wv_json_text(json, "clock", info->clock == WEFT_CLOCK_CPU ? "cpu" : "wall");
		wv_json_unsigned(json, "open", info->open);
		if (reading->open.n)
			wv_open_pairs_json(reading, json);
		wv_json_unsigned(json, "unmatched", info->unmatched);
		wv_json_unsigned(json, "dropped", info->dropped + info->deep);
		wv_json_unsigned(json, "deep", info->deep);
		wv_json_unsigned(json, "replaced", info->replaced);
	}
	if (wv_is_histogram(info))
		wv_json_real(json, "error", wv_bucket_error(info), 6);
	wv_precision_json(status->accesses, json);
	wv_json_unsigned(json, "shadows", info->shadows);
	wv_json_unsigned(json, "shadows_refused", info->shadows_refused);
	if (info->ends) {
		wv_json_unsigned(json, "ends", info->ends);
		wv_json_unsigned(json, "ends_refused", info->ends_refused);
	}
	wv_json_unsigned(json, "woven_ns", info->woven);
	wv_json_unsigned(json, "full", info->full);
	wv_json_unsigned(json, "replaced_rows", info->replaced_rows);
	wv_json_unsigned(json, "missing", info->missing);
	wv_json_begin_array(json, "rows");
	wv_vec_for_each(row, &reading->rows)
		add_row(reading, row, NULL, json);
	wv_json_end_array(json);
	if (reading->others.values)
		add_row(reading, &reading->others, "others", json);
	wv_json_end_object(json);
}

void wv_metrics_json(const struct weft_status *status, const struct wv_readings *readings,
		     struct wv_str *out)
{
	struct wv_json json = WV_JSON(out);

	wv_vec_for_each(reading, &readings->list)
		add_metric(status, reading, &json);
}
