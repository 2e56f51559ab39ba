// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the text that monitors read, for two invented aspects with metrics of each type. read.py
 * parses this text and checks the values in it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/metric-table.h"
#include "report/openmetrics.h"

enum { FINE = 3, BUCKETS = WR_LOG2_BUCKETS(FINE), LINEAR = 4 };

static void check(bool good)
{
	if (!good)
		exit(1);
}

static struct wv_metric_reading *add_metric(struct wv_readings *readings,
					    const struct weft_metric_info *info)
{
	struct wv_metric_reading *reading = wv_vec_push(&readings->list);

	check(reading);
	reading->info = *info;
	reading->info.nr_values = WR_VALUES(info->type, info->buckets);
	return reading;
}

/* Returns a row of zeros. The key @key has @size bytes; each value in it ends with a NUL. */
static struct wv_metric_row new_row(const struct wv_metric_reading *reading, const char *key,
				    size_t size)
{
	struct wr_area *area = calloc(1, sizeof(*area) + reading->info.nr_values * sizeof(__u64));
	struct wv_metric_row row = { .texts = malloc(size), .texts_size = size };

	check(area && row.texts);
	memcpy(row.texts, key, size);
	row.values = (uint64_t *)area->cells;
	wv_row_begin(&reading->info, row.values);
	return row;
}

static uint64_t *add_row(struct wv_metric_reading *reading, const char *key, size_t size)
{
	struct wv_metric_row *row = wv_vec_push(&reading->rows);

	check(row);
	*row = new_row(reading, key, size);
	return row->values;
}

/*
 * Adds counters whose keys have every character that a label must escape, and two metrics whose
 * names become the same where only letters, digits and '_' are allowed.
 */
static void add_counters(struct wv_readings *readings)
{
	static const char odd[] = "a\"b\\c\nd\xff\0" "0x10\0" "1\0" "2";
	struct wv_metric_reading *reading = add_metric(
		readings, &(struct weft_metric_info){ .type = WEFT_METRIC_COUNTER,
						      .metric = "opens, total",
						      .by = "comm\0$arg1 & 0xff\0"
							    "le\0key_le",
						      .rows = 64,
						      .nr_keys = 4,
						      .full = 5 });

	add_row(reading, "sh\0" "0x20\0" "3\0" "4", 12)[WR_COUNT] = 7;
	add_row(reading, odd, sizeof(odd))[WR_COUNT] = 3;
	reading->others = new_row(reading, "", 1);
	reading->others.values[WR_COUNT] = 11;
	reading = add_metric(readings, &(struct weft_metric_info){ .type = WEFT_METRIC_COUNTER,
								   .metric = "opens (total)" });
	add_row(reading, "", 1)[WR_COUNT] = 1;
}

/* Adds histograms of squares, of a signed value on a linear scale, and of times. */
static void add_histograms(struct wv_readings *readings)
{
	const struct weft_metric_info squares = { .type = WEFT_METRIC_HISTOGRAM,
						  .metric = "squares",
						  .unit = "B",
						  .value = "$arg3 * $arg3",
						  .fine = FINE,
						  .buckets = BUCKETS };
	struct weft_metric_info info = squares;
	__u64 *values = (__u64 *)add_row(add_metric(readings, &info), "", 1);

	for (__u64 i = 0; i < 100; i++)
		wr_log2_add(values, values, i * i, 0, FINE);

	info = (struct weft_metric_info){ .type = WEFT_METRIC_HISTOGRAM,
					  .metric = "change",
					  .scale = WEFT_SCALE_LINEAR,
					  .least = -10,
					  .step = 5,
					  .buckets = LINEAR,
					  .has_sign = 1 };
	values = (__u64 *)add_row(add_metric(readings, &info), "", 1);
	for (__s64 i = -12; i < 12; i++)
		wr_linear_add(values, values, i, -10, 5, LINEAR);

	info = squares;
	info.type = WEFT_METRIC_ELAPSED;
	snprintf(info.unit, sizeof(info.unit), "ns");
	snprintf(info.metric, sizeof(info.metric), "read");
	info.value[0] = '\0';
	values = (__u64 *)add_row(add_metric(readings, &info), "", 1);
	for (__u64 i = 0; i < 30; i++)
		wr_log2_add(values, values, 1ull << i, 0, FINE);
}

static void add_others(struct wv_readings *readings)
{
	struct weft_metric_info info = { .type = WEFT_METRIC_SUM, .metric = "left", .unit = "B" };
	uint64_t *values = add_row(add_metric(readings, &info), "", 1);

	values[WR_COUNT] = 4;
	values[WR_SUM] = (uint64_t)-4096;
	info = (struct weft_metric_info){ .type = WEFT_METRIC_CONCURRENCY,
					  .metric = "2 at once",
					  .open_time = 1000000000 };
	values = add_row(add_metric(readings, &info), "", 1);
	values[WR_COUNT] = 9;
	values[WR_SUM] = 1500000001;
}

static void free_row(struct wv_metric_row *row)
{
	if (!row->values)
		return;
	free(wr_area_of((__u64 *)row->values));
	free(row->texts);
}

int main(void)
{
	struct wv_exposed_aspect aspects[] = {
		{ .status = { .name = "files", .state = WEFT_STATE_WOVEN, .hits = 100 } },
		{ .status = { .name = "other-one", .missed = 2 } },
		{ .status = { .name = "none" }, .absent = true },
	};
	struct wv_str text = { 0 };

	add_counters(&aspects[0].readings);
	add_histograms(&aspects[0].readings);
	add_others(&aspects[1].readings);
	wv_openmetrics(aspects, 3, &text);
	check(!text.failed);
	fputs(text.data, stdout);
	wv_str_deinit(&text);
	for (size_t i = 0; i < 2; i++) {
		wv_vec_for_each(reading, &aspects[i].readings.list) {
			wv_vec_for_each(row, &reading->rows)
				free_row(row);
			free_row(&reading->others);
			wv_vec_deinit(&reading->rows);
		}
		wv_vec_deinit(&aspects[i].readings.list);
	}
	return 0;
}
