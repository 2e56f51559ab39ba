// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests rows as the device returns them, which are added up over CPUs, and the figures that reports
 * compute from the sums.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"

#include "runtime/metric-table.h"
#include "report/figures.h"
#include "report/metrics-report.h"
#include "report/once-report.h"

/* Writes a row as the device does, for a metric with @n values. Returns its size. */
static size_t put_row(char *to, uint64_t key, const char *text, const uint64_t *values, size_t n)
{
	struct weft_metric_row row = { .key = key };
	char texts[64] = { 0 };

	row.text_size = *text ? (strlen(text) + 8) / 8 * 8 : 0;
	strcpy(texts, text);
	/* The values of a key are separated by a NUL, which @text has as a bar. */
	for (char *bar = texts; (bar = strchr(bar, '|'));)
		*bar = 0;
	memcpy(to, &row, sizeof(row));
	memcpy(to + sizeof(row), texts, row.text_size);
	memcpy(to + sizeof(row) + row.text_size, values, n * sizeof(*values));
	return sizeof(row) + row.text_size + n * sizeof(*values);
}

static struct wv_metric_reading sums_of_two_cpus(void)
{
	struct wv_metric_reading reading = {
		.info = { .type = WEFT_METRIC_SUM,
			  .nr_values = 2,
			  .rows = 4,
			  .nr_keys = 1,
			  .metric = "sums",
			  .by = "comm",
			  .unit = "B",
			  .woven = 1000 },
	};
	struct wv_error error;
	char buffer[1000];
	size_t n = 0;

	n += put_row(buffer + n, 7, "seven", (uint64_t[]){ 2, 10 }, 2);
	n += put_row(buffer + n, 9, "", (uint64_t[]){ 1, 100 }, 2);
	n += put_row(buffer + n, 3, "three", (uint64_t[]){ 0, 0 }, 2);
	assert_int_equal(wv_reading_add(&reading, buffer, n, &error), 0);
	n = put_row(buffer, 9, "nine", (uint64_t[]){ 3, 11 }, 2);
	assert_int_equal(wv_reading_add(&reading, buffer, n, &error), 0);
	assert_int_equal(wv_reading_add(&reading, buffer, n - 1, &error), -WV_E_FORMAT);
	wv_reading_finish(&reading);
	return reading;
}

static void free_reading(struct wv_metric_reading *reading)
{
	wv_vec_for_each(row, &reading->rows)
		wv_metric_row_deinit(row);
	wv_vec_deinit(&reading->rows);
}

static void rows_of_all_cpus(void **state)
{
	struct wv_metric_reading reading = sums_of_two_cpus();
	struct wv_figures figures;

	assert_int_equal(reading.rows.n, 2);
	assert_string_equal(wv_row_text(&reading.rows.data[0], 0), "nine");
	assert_string_equal(wv_row_text(&reading.rows.data[1], 0), "seven");
	wv_figures_get(&reading, &reading.rows.data[0], &figures);
	assert_int_equal(figures.count, 4);
	assert_int_equal(figures.sum, 111);
	assert_true(figures.mean == 27.75);
	free_reading(&reading);
}

/*
 * Tests rows without a text of their key. A CPU that has given a key's row to another key forgets
 * the text. If no CPU knows it any more, the row must be added to that of all other keys.
 */
static void rows_whose_key_is_gone(void **state)
{
	struct wv_metric_reading reading = {
		.info = { .type = WEFT_METRIC_COUNTER,
			  .nr_values = 1,
			  .rows = 4,
			  .nr_keys = 1,
			  .metric = "counts",
			  .by = "comm" },
	};
	struct wv_readings readings = { .list = { .data = &reading, .n = 1 } };
	struct wv_str plain = { 0 };
	struct wv_error error;
	char buffer[1000];
	size_t n = 0;

	n += put_row(buffer + n, 7, "cat", (uint64_t[]){ 3 }, 1);
	n += put_row(buffer + n, 8, "", (uint64_t[]){ 2 }, 1);
	n += put_row(buffer + n, 9, "", (uint64_t[]){ 10 }, 1);
	assert_int_equal(wv_reading_add(&reading, buffer, n, &error), 0);
	wv_reading_finish(&reading);
	assert_int_equal(reading.rows.n, 1);
	assert_string_equal(wv_row_text(&reading.rows.data[0], 0), "cat");
	assert_int_equal(reading.others.values[WR_COUNT], 12);
	wv_metrics_text(&readings, &(struct wv_text_view){ 0 }, &plain);
	assert_contains(plain.data, "  cat                 3\n");
	assert_contains(plain.data, "12\n");
	wv_str_deinit(&plain);
	wv_metric_row_deinit(&reading.others);
	free_reading(&reading);
}

/*
 * Prints rows whose keys are made of two values, a text and a stack. One CPU does not know the
 * texts.
 */
static void rows_of_several_keys(void **state)
{
	struct wv_metric_reading reading = {
		.info = { .type = WEFT_METRIC_COUNTER,
			  .nr_values = 1,
			  .rows = 4,
			  .nr_keys = 2,
			  .metric = "counts",
			  .by = "comm\0stack",
			  .key_kinds = { WEFT_KEY_TEXT, WEFT_KEY_STACK } },
	};
	struct wv_readings readings = { .list = { .data = &reading, .n = 1 } };
	struct wv_str plain = { 0 }, json = { 0 };
	struct wv_error error;
	char buffer[1000];
	size_t n = 0;

	n += put_row(buffer + n, 7, "", (uint64_t[]){ 2 }, 1);
	/* Any user can choose a comm: a terminal must not obey what is in it. */
	n += put_row(buffer + n, 9, "a\n\033[m|f+0x3/0x9\ng+0x2/0x8", (uint64_t[]){ 4 }, 1);
	n += put_row(buffer + n, 7, "cat|f+0x1/0x9\ng+0x2/0x8", (uint64_t[]){ 3 }, 1);
	assert_int_equal(wv_reading_add(&reading, buffer, n, &error), 0);
	wv_reading_finish(&reading);
	wv_metrics_text(&readings, &(struct wv_text_view){ 0 }, &plain);
	assert_string_equal(plain.data, "\ncounts\n  comm            count\n"
					"  cat                 5\n"
					"      f+0x1/0x9\n      g+0x2/0x8\n"
					"  a??[m               4\n"
					"      f+0x3/0x9\n      g+0x2/0x8\n");
	wv_metrics_json(&(struct weft_status){ .name = "sample" }, &readings, &json);
	assert_contains(json.data, "\"by\":\"comm, stack\"");
	assert_contains(json.data, "\"keys\":[\"cat\",\"f+0x1/0x9\\u000ag+0x2/0x8\"]");
	wv_str_deinit(&plain);
	wv_str_deinit(&json);
	free_reading(&reading);
}

/* Compares the percentiles of a histogram of the values 1 to 1000 with the known ones. */
static void percentiles(void **state)
{
	for (uint32_t fine = 0; fine <= 5; fine++) {
		struct wv_metric_reading reading = {
			.info = { .type = WEFT_METRIC_HISTOGRAM,
				  .fine = fine,
				  .buckets = WR_LOG2_BUCKETS(fine) },
		};
		struct wr_area *area = calloc(1, sizeof(*area) + (WR_BUCKETS + 1 +
							WR_LOG2_BUCKETS(5)) * sizeof(__u64));
		__u64 *values = area->cells;
		struct wv_metric_row row = { .values = (uint64_t *)values };
		struct wv_figures figures;
		double error = wv_bucket_error(&reading.info);

		reading.info.nr_values = WR_VALUES(WEFT_METRIC_HISTOGRAM, reading.info.buckets);
		wv_row_begin(&reading.info, (uint64_t *)values);
		for (__u64 value = 1; value <= 1000; value++)
			wr_log2_add(values, values, value, 0, fine);
		wv_figures_get(&reading, &row, &figures);
		assert_int_equal(figures.count, 1000);
		assert_int_equal(figures.sum, 500500);
		assert_true(figures.p50.value >= 500 * (1 - error) &&
			    figures.p50.value <= 500 * (1 + error));
		assert_true(figures.p90.value >= 900 * (1 - error) &&
			    figures.p90.value <= 900 * (1 + error));
		assert_true(figures.p99.value >= 990 * (1 - error) &&
			    figures.p99.value <= 990 * (1 + error));
		assert_true(figures.min == 1 && figures.max == 1000);
		free(area);
	}
}

struct cells {
	struct wr_area head;
	__u64 cells[WR_BUCKETS + 1 + WR_LOG2_BUCKETS(0)];
};

/* Makes the figures of a histogram of these values, by powers of two. */
static void measure(struct cells *area, const __u64 *wanted, size_t n, struct wv_figures *ret)
{
	struct wv_metric_reading reading = {
		.info = { .type = WEFT_METRIC_HISTOGRAM,
			  .buckets = WR_LOG2_BUCKETS(0),
			  .nr_values = WR_VALUES(WEFT_METRIC_HISTOGRAM, WR_LOG2_BUCKETS(0)) },
	};
	struct wv_metric_row row = { .values = (uint64_t *)area->cells };

	wv_row_begin(&reading.info, row.values);
	for (size_t i = 0; i < n; i++)
		wr_log2_add(area->cells, area->cells, wanted[i], 0, 0);
	wv_figures_get(&reading, &row, ret);
}

/* The middle of the bucket of 3000 is 3071, but no value was that large. */
static void percentiles_within_extremes(void **state)
{
	struct cells area = { 0 };
	struct wv_figures figures;

	measure(&area, (__u64[]){ 3000, 3000 }, 2, &figures);
	assert_true(figures.min == 3000 && figures.max == 3000);
	assert_true(figures.p50.value == 3000 && figures.p99.value == 3000);
	measure(&area, (__u64[]){ 4000, 5000 }, 2, &figures);
	assert_true(figures.p50.value == 4000 && figures.p99.value == 5000);
}

/*
 * Tests a histogram that is read while a hit is being counted, after the hit was added to its
 * bucket and before it has set the extremes. The extremes must then be taken from the buckets.
 */
static void missed_extremes(void **state)
{
	struct wv_metric_reading reading = {
		.info = { .type = WEFT_METRIC_HISTOGRAM,
			  .buckets = WR_LOG2_BUCKETS(0),
			  .nr_values = WR_VALUES(WEFT_METRIC_HISTOGRAM, WR_LOG2_BUCKETS(0)) },
	};
	struct cells area = { 0 };
	struct wv_metric_row row = { .values = (uint64_t *)area.cells };
	struct wv_figures figures;

	measure(&area, (__u64[]){ 1, 3000 }, 2, &figures);
	assert_true(figures.min == 1 && figures.max == 3000);
	area.cells[WR_LEAST] = WR_NO_LEAST;
	area.cells[WR_MOST] = 0;
	wv_figures_get(&reading, &row, &figures);
	assert_int_equal(figures.count, 2);
	assert_true(figures.min == 1 && figures.max == (2048 + 4095) / 2.0);
	assert_true(figures.p50.value == 1 && figures.p99.value == figures.max);
}

static void linear_buckets_and_the_ends(void **state)
{
	struct wv_metric_reading reading = {
		.info = { .type = WEFT_METRIC_HISTOGRAM,
			  .scale = WEFT_SCALE_LINEAR,
			  .least = -10,
			  .step = 5,
			  .buckets = 4,
			  .has_sign = 1,
			  .nr_values = 9 },
	};
	struct {
		struct wr_area head;
		__u64 cells[9];
	} area = { .cells = { [WR_LEAST] = WR_NO_LEAST } };
	__u64 *values = area.cells;
	struct wv_metric_row row = { .values = (uint64_t *)values };
	struct wv_column columns[WV_COLUMNS_MAX];
	struct wv_bucket bucket;
	struct wv_figures figures;
	struct wv_str json = { 0 };
	char text[WV_COLUMN_TEXT];

	wr_linear_add(values, values, -11, -10, 5, 4);
	wr_linear_add(values, values, -10, -10, 5, 4);
	wr_linear_add(values, values, 9, -10, 5, 4);
	wr_linear_add(values, values, 10, -10, 5, 4);
	wv_figures_get(&reading, &row, &figures);
	assert_int_equal(figures.count, 4);
	assert_int_equal(figures.sum, -2);
	assert_int_equal(figures.p50.beyond, 0);
	assert_int_equal(figures.p99.beyond, 1);
	assert_true(figures.min == -11 && figures.max == 10);
	wr_linear_add(values, values, -100, -10, 5, 4);
	wr_linear_add(values, values, -100, -10, 5, 4);
	wv_figures_get(&reading, &row, &figures);
	assert_int_equal(figures.p50.beyond, -1);
	assert_int_equal(wv_metric_columns(&reading.info, &figures, columns), 8);
	assert_string_equal(wv_column_text(&columns[1], text), "-202");
	assert_string_equal(wv_column_text(&columns[3], text), "-100");
	assert_string_equal(wv_column_text(&columns[4], text), "< -10");
	assert_string_equal(wv_column_text(&columns[6], text), ">= 10");
	assert_string_equal(wv_column_text(&columns[7], text), "10");
	wv_vec_push(&reading.rows);
	reading.rows.data[0] = row;
	wv_metrics_json(&(struct weft_status){ .name = "sample" },
			&(struct wv_readings){ .list = { .data = &reading, .n = 1 } },
			&json);
	assert_contains(json.data, "\"min\":-100,\"p50\":null,\"p90\":null,"
				   "\"p99\":null,\"max\":10");
	assert_contains(json.data, "\"buckets\":[[null,-10,3],");
	wv_vec_deinit(&reading.rows);
	wv_str_deinit(&json);
	assert_int_equal(wv_nr_buckets(&reading.info), 6);
	bucket = wv_bucket_at(&reading.info, row.values, 0);
	assert_true(bucket.below && bucket.next == -10 && bucket.count == 3);
	bucket = wv_bucket_at(&reading.info, row.values, 1);
	assert_true(bucket.least == -10 && bucket.next == -5 && bucket.count == 1);
	bucket = wv_bucket_at(&reading.info, row.values, 5);
	assert_true(bucket.above && bucket.least == 10 && bucket.count == 1);
}

static void numbers_in_words(void **state)
{
	char text[WV_FIGURE_TEXT];

	assert_string_equal(wv_figure_text(17, "", text), "17");
	assert_string_equal(wv_figure_text(0.5, "", text), "0.500");
	assert_string_equal(wv_figure_text(3, "objects", text), "3 objects");
	assert_string_equal(wv_figure_text(999, "ns", text), "999 ns");
	assert_string_equal(wv_figure_text(12345678, "ns", text), "12.3 ms");
	assert_string_equal(wv_figure_text(4096, "B", text), "4 KiB");
}

/* Names come from XML and from tasks, so no character of them may act as markup. */
static void output_is_escaped(void **state)
{
	struct wv_metric_reading reading = sums_of_two_cpus();
	struct wv_readings readings = { .list = { .data = &reading, .n = 1 } };
	struct wv_once_joinpoint blocks[2] = {
		{ .text = { .symbol = "<f>", .symbol_offset = 5, .file = "a.c", .line = 9 } },
		{ .text = { .symbol = "g" }, .hit = true }
	};
	const struct wv_once once = { .list = { .data = blocks, .n = 2 }, .nr_hit = 1 };
	struct wv_str json = { 0 }, plain = { 0 };

	strcpy(reading.info.metric, "<script>\"&");
	reading.info.full = 5;
	reading.info.replaced_rows = 6;
	reading.info.missing = 11;
	reading.info.dropped = 3;
	reading.info.pairs = 16;
	reading.info.deep = 2;
	reading.info.replaced = 1;
	wv_once_json("sample", &once, &json);
	assert_contains(json.data, "{\"aspect\":\"sample\",\"once\":2,\"hit\":1,\"joinpoints\":[{"
				   "\"symbol\":\"<f>\",\"offset\":5,"
				   "\"file\":\"a.c\",\"line\":9,\"hit\":false},");
	wv_once_text(&once, &plain);
	assert_contains(plain.data, "1 of 2 joinpoints\n  not hit: <f>+0x5, a.c:9\n");
	wv_metrics_json(&(struct weft_status){ .name = "sample" },
			&readings, &json);
	assert_contains(json.data, "\"metric\":\"<script>\\\"&\"");
	assert_contains(json.data, "{\"key\":\"nine\",\"key_number\":\"0x9\",\"count\":4,\"sum\":"
				   "111,\"mean\":27.750}");
	wv_metrics_text(&readings, &(struct wv_text_view){ 0 }, &plain);
	assert_contains(plain.data, "NOT KEPT: the table of 4 keys was full");
	wv_str_deinit(&json);
	wv_str_deinit(&plain);
	free_reading(&reading);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_all_cpus),
		cmocka_unit_test(rows_whose_key_is_gone),
		cmocka_unit_test(rows_of_several_keys),
		cmocka_unit_test(percentiles),
		cmocka_unit_test(percentiles_within_extremes),
		cmocka_unit_test(missed_extremes),
		cmocka_unit_test(linear_buckets_and_the_ends),
		cmocka_unit_test(numbers_in_words),
		cmocka_unit_test(output_is_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
