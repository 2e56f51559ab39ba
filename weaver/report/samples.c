// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps metrics over time; see samples.h. */
#include <stdlib.h>
#include <string.h>

#include "base/json-writer.h"
#include "report/figures.h"
#include "report/samples.h"

/*
 * Maximum number of keys whose values are in the JSON. The values of all other keys are added up.
 */
enum { KEYS_SHOWN = 8 };

void wv_samples_begin(struct wv_samples *samples, uint64_t now, uint64_t interval)
{
	memset(samples, 0, sizeof(*samples));
	samples->begin = samples->read = samples->due = now;
	samples->interval = interval;
}

void wv_samples_deinit(struct wv_samples *samples)
{
	wv_vec_for_each(metric, &samples->metrics) {
		wv_vec_for_each(series, &metric->keys) {
			free(series->key);
			free(series->gained);
		}
		wv_vec_deinit(&metric->keys);
		wv_hash_deinit(&metric->by_key);
		free(metric->last);
		free(metric->heat);
	}
	wv_vec_deinit(&samples->metrics);
}

void wv_samples_restart(struct wv_samples *samples, uint64_t now)
{
	wv_vec_for_each(metric, &samples->metrics) {
		wv_vec_for_each(series, &metric->keys)
			memset(series->gained, 0, WV_INTERVALS_MAX * sizeof(*series->gained));
		if (metric->nr_buckets)
			memset(metric->heat, 0,
			       metric->nr_buckets * WV_INTERVALS_MAX * sizeof(*metric->heat));
	}
	samples->begin = samples->read = now;
	samples->due = now + samples->interval;
	samples->n = 0;
}

bool wv_samples_are_due(const struct wv_samples *samples, uint64_t now)
{
	return samples->interval && now >= samples->due;
}

/* ---- choosing intervals ---------------------------------------------------------------------- */

/* Merges every two neighbouring intervals into one, which doubles the length of an interval. */
static void halve(struct wv_samples *samples)
{
	const size_t half = WV_INTERVALS_MAX / 2;

	wv_vec_for_each(metric, &samples->metrics) {
		wv_vec_for_each(series, &metric->keys) {
			for (size_t i = 0; i < half; i++)
				series->gained[i] =
					series->gained[2 * i] + series->gained[2 * i + 1];
			memset(series->gained + half, 0, half * sizeof(*series->gained));
		}
		for (size_t b = 0; b < metric->nr_buckets; b++) {
			uint32_t *row = metric->heat + b * WV_INTERVALS_MAX;

			for (size_t i = 0; i < half; i++)
				row[i] = row[2 * i] + row[2 * i + 1];
			memset(row + half, 0, half * sizeof(*row));
		}
	}
	samples->interval *= 2;
	samples->n = (samples->n + 1) / 2;
}

/*
 * Returns the index of the interval to which the increase since the last reading belongs. Metrics
 * are read a little after the end of an interval, so @now may already be in the next one. Therefore
 * takes the interval in which the middle of the time between the two readings is.
 */
static size_t interval_at(struct wv_samples *samples, uint64_t now)
{
	uint64_t gone = (samples->read - samples->begin) / 2 + (now - samples->begin) / 2;

	while (gone / samples->interval >= WV_INTERVALS_MAX)
		halve(samples);
	if (gone / samples->interval >= samples->n)
		samples->n = gone / samples->interval + 1;
	samples->read = now;
	samples->due = samples->begin +
		       ((now - samples->begin) / samples->interval + 1) * samples->interval;
	return gone / samples->interval;
}

/* ---- computing the increases between readings ------------------------------------------------ */

static bool is_key(const void *array, uint32_t position, const void *key)
{
	return !strcmp(((const struct wv_series *)array)[position].key, key);
}

static struct wv_series *series_of(struct wv_sampled_metric *metric, const char *key)
{
	uint32_t hash = wv_hash_bytes(key, strlen(key));
	uint32_t at = wv_hash_find(&metric->by_key, hash, is_key, metric->keys.data, key);
	struct wv_series *new;

	if (at != WV_HASH_NONE)
		return &metric->keys.data[at];
	new = wv_vec_push(&metric->keys);
	if (!new)
		return NULL;
	new->key = strdup(key);
	new->gained = calloc(WV_INTERVALS_MAX, sizeof(*new->gained));
	if (new->key && new->gained &&
	    !wv_hash_add(&metric->by_key, hash, (uint32_t)(metric->keys.n - 1)))
		return new;
	free(new->key);
	free(new->gained);
	metric->keys.n--;
	return NULL;
}

static int add_rows(struct wv_sampled_metric *metric, const struct wv_metric_reading *reading,
		    size_t interval)
{
	wv_vec_for_each(row, &reading->rows) {
		_cleanup_str_ struct wv_str key = { 0 };
		struct wv_series *series;
		struct wv_figures figures;
		int64_t total;

		wv_row_key(&reading->info, row, &key);
		series = key.failed ? NULL : series_of(metric, wv_str_text(&key));
		if (!series)
			return -1;
		wv_figures_get(reading, row, &figures);
		total = metric->sums ? figures.sum : (int64_t)figures.count;
		/*
		 * If the count is less than before, the row was emptied meanwhile: by a reset, or
		 * because another key took the row for some time.
		 */
		series->gained[interval] += figures.count < series->count ? total :
									    total - series->last;
		series->last = total;
		series->count = figures.count;
	}
	return 0;
}

static int add_buckets(struct wv_sampled_metric *metric, const struct wv_metric_reading *reading,
		       size_t interval)
{
	struct wv_metric_row total = wv_reading_total(reading);
	const bool reset = reading->info.woven < metric->woven;

	if (!total.values)
		return -1;
	for (size_t b = 0; b < metric->nr_buckets; b++) {
		uint64_t count = wv_bucket_at(&reading->info, total.values, b).count;

		if (reset)
			metric->last[b] = 0;
		/*
		 * Without a reset the count of a bucket never becomes less. But a reading may have
		 * a wrong count: if another key takes a row while the rows are read, the row may be
		 * read under neither key, or under both. So add only what exceeds the greatest
		 * count so far.
		 */
		if (count <= metric->last[b])
			continue;
		metric->heat[b * WV_INTERVALS_MAX + interval] += count - metric->last[b];
		metric->last[b] = count;
	}
	metric->woven = reading->info.woven;
	free(total.values);
	return 0;
}

static int make_metric(struct wv_samples *samples, const struct wv_metric_reading *reading)
{
	struct wv_sampled_metric *metric = wv_vec_push(&samples->metrics);
	const struct weft_metric_info *info = &reading->info;

	if (!metric)
		return -1;
	metric->sums = info->type == WEFT_METRIC_SUM || info->type == WEFT_METRIC_CONCURRENCY;
	if (!wv_is_histogram(info))
		return 0;
	metric->last = calloc(wv_nr_buckets(info), sizeof(*metric->last));
	metric->heat = calloc(wv_nr_buckets(info), WV_INTERVALS_MAX * sizeof(*metric->heat));
	if (!metric->last || !metric->heat)
		return -1;
	metric->nr_buckets = wv_nr_buckets(info);
	return 0;
}

int wv_samples_add(struct wv_samples *samples, const struct wv_readings *readings, uint64_t now,
		   struct wv_error *error)
{
	size_t interval = interval_at(samples, now), at = 0;

	wv_vec_for_each(reading, &readings->list) {
		struct wv_sampled_metric *metric;

		if (at == samples->metrics.n && make_metric(samples, reading))
			return wv_no_memory(error);
		metric = &samples->metrics.data[at++];
		if (add_rows(metric, reading, interval) ||
		    (metric->nr_buckets && add_buckets(metric, reading, interval)))
			return wv_no_memory(error);
	}
	return 0;
}

/* ---- writing JSON ---------------------------------------------------------------------------- */

static int by_total(const void *a, const void *b)
{
	const struct wv_series *const *left = a, *const *right = b;

	return ((*left)->last < (*right)->last) - ((*left)->last > (*right)->last);
}

static void add_values(const char *key, const int64_t *values, size_t n, struct wv_json *json)
{
	wv_json_begin_array(json, key);
	for (size_t i = 0; i < n; i++)
		wv_json_signed(json, NULL, values[i]);
	wv_json_end_array(json);
}

/*
 * Adds "keys", the values of the keys with the highest totals, and "others", the sums of the values
 * of all other keys. @n is the number of intervals. @sorted is memory for temporary use, with room
 * for pointers to all series of the metric.
 */
static void add_keys(const struct wv_sampled_metric *metric, size_t n,
		     const struct wv_series **sorted, struct wv_json *json)
{
	int64_t others[WV_INTERVALS_MAX] = { 0 };

	for (size_t k = 0; k < metric->keys.n; k++)
		sorted[k] = &metric->keys.data[k];
	qsort(sorted, metric->keys.n, sizeof(*sorted), by_total);
	wv_json_begin_array(json, "keys");
	for (size_t k = 0; k < metric->keys.n && k < KEYS_SHOWN; k++) {
		wv_json_begin_object(json, NULL);
		wv_json_text(json, "key", sorted[k]->key);
		add_values("values", sorted[k]->gained, n, json);
		wv_json_end_object(json);
	}
	wv_json_end_array(json);
	if (metric->keys.n <= KEYS_SHOWN)
		return;
	for (size_t k = KEYS_SHOWN; k < metric->keys.n; k++)
		for (size_t i = 0; i < n; i++)
			others[i] += sorted[k]->gained[i];
	add_values("others", others, n, json);
}

static void add_end(bool open, double value, struct wv_json *json)
{
	if (open)
		wv_json_null(json, NULL);
	else
		wv_json_real(json, NULL, value, 0);
}

/*
 * Adds "buckets", the ends of each bucket that has hits, and "heat", one [interval, index in
 * "buckets", hits] for each interval and bucket with hits.
 */
static void add_heat(const struct wv_sampled_metric *metric, const struct weft_metric_info *info,
		     const uint64_t *values, size_t n, struct wv_json *json)
{
	size_t used = 0;

	wv_json_begin_array(json, "buckets");
	for (size_t b = 0; b < metric->nr_buckets; b++) {
		struct wv_bucket bucket = wv_bucket_at(info, values, b);

		if (!metric->last[b])
			continue;
		wv_json_begin_array(json, NULL);
		add_end(bucket.below, bucket.least, json);
		add_end(bucket.above, bucket.next, json);
		wv_json_end_array(json);
	}
	wv_json_end_array(json);
	wv_json_begin_array(json, "heat");
	for (size_t b = 0; b < metric->nr_buckets; b++) {
		for (size_t i = 0; i < n && metric->last[b]; i++) {
			uint32_t count = metric->heat[b * WV_INTERVALS_MAX + i];

			if (!count)
				continue;
			wv_json_begin_array(json, NULL);
			wv_json_unsigned(json, NULL, i);
			wv_json_unsigned(json, NULL, used);
			wv_json_unsigned(json, NULL, count);
			wv_json_end_array(json);
		}
		used += metric->last[b] != 0;
	}
	wv_json_end_array(json);
}

void wv_samples_json(const struct wv_samples *samples, const struct wv_readings *readings,
		     struct wv_str *out)
{
	for (size_t at = 0; at < samples->metrics.n && at < readings->list.n; at++) {
		const struct wv_sampled_metric *metric = &samples->metrics.data[at];
		const struct wv_metric_reading *reading = &readings->list.data[at];
		const struct wv_series **sorted = calloc(metric->keys.n + 1, sizeof(*sorted));
		struct wv_metric_row total = wv_reading_total(reading);
		struct wv_json json = WV_JSON(out);

		out->failed |= !sorted || !total.values;
		if (!out->failed && metric->keys.n) {
			wv_json_begin_object(&json, NULL);
			wv_json_unsigned(&json, "samples", at);
			wv_json_text(&json, "of", metric->sums ? "sum" : "count");
			wv_json_unsigned(&json, "interval_ns", samples->interval);
			wv_json_unsigned(&json, "n", samples->n);
			add_keys(metric, samples->n, sorted, &json);
			if (metric->nr_buckets)
				add_heat(metric, &reading->info, total.values, samples->n, &json);
			wv_json_end_object(&json);
		}
		free(sorted);
		free(total.values);
	}
}
