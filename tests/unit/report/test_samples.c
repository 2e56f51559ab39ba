// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests metrics over time: by how much values have increased in each interval. The number of
 * intervals is limited.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"

#include "runtime/metric-table.h"
#include "report/samples.h"

static const uint64_t unit = WV_INTERVAL_NS;

struct fixture {
	uint64_t a[1], b[1];
	struct wv_metric_row rows[2];
	struct wv_metric_reading reading;
	struct wv_readings readings;
	struct wv_samples samples;
};

static void begin(struct fixture *fixture)
{
	memset(fixture, 0, sizeof(*fixture));
	fixture->rows[0] = (struct wv_metric_row){ .key = 1, .texts = "a", .texts_size = 2,
						    .values = fixture->a };
	fixture->rows[1] = (struct wv_metric_row){ .key = 2, .texts = "b", .texts_size = 2,
						    .values = fixture->b };
	fixture->reading.info = (struct weft_metric_info){ .type = WEFT_METRIC_COUNTER, .rows = 4,
							   .nr_keys = 1, .nr_values = 1 };
	fixture->reading.rows.data = fixture->rows;
	fixture->reading.rows.n = 1;
	fixture->readings.list.data = &fixture->reading;
	fixture->readings.list.n = 1;
	wv_samples_begin(&fixture->samples, 1000, unit);
}

static void add(struct fixture *fixture, uint64_t after)
{
	struct wv_error error;

	assert_int_equal(wv_samples_add(&fixture->samples, &fixture->readings, 1000 + after,
					&error), 0);
}

static void expect_json(struct fixture *fixture, const char *json)
{
	struct wv_str out = { 0 };

	wv_samples_json(&fixture->samples, &fixture->readings, &out);
	assert_string_equal(wv_str_text(&out), json);
	wv_str_deinit(&out);
}

static void gains_by_interval(void **state)
{
	struct fixture fixture;

	begin(&fixture);
	assert_true(wv_samples_are_due(&fixture.samples, 1000));
	fixture.a[0] = 5;
	add(&fixture, unit);
	assert_true(wv_samples_are_due(&fixture.samples, 1000 + 2 * unit));
	assert_false(wv_samples_are_due(&fixture.samples, 999 + 2 * unit));
	/* The second key appears in a later interval, and one interval is not read. */
	fixture.a[0] = 12;
	fixture.b[0] = 3;
	fixture.reading.rows.n = 2;
	add(&fixture, 3 * unit);
	expect_json(&fixture, "{\"samples\":0,\"of\":\"count\",\"interval_ns\":250000000,\"n\":3,"
			      "\"keys\":[{\"key\":\"a\",\"values\":[5,0,7]},"
			      "{\"key\":\"b\",\"values\":[0,0,3]}]}\n");
	/* The value is smaller than before, since the metric was reset. */
	fixture.a[0] = 2;
	add(&fixture, 4 * unit);
	assert_int_equal(fixture.samples.metrics.data[0].keys.data[0].gained[3], 2);
	wv_samples_deinit(&fixture.samples);
}

/*
 * However long a metric is sampled, there must be no more intervals than there is room for, and no
 * count may be lost. To make room, neighbouring intervals are joined.
 */
static void intervals_become_longer(void **state)
{
	const size_t all = 5 * WV_INTERVALS_MAX;
	struct fixture fixture;
	int64_t sum = 0;

	begin(&fixture);
	for (size_t i = 0; i < all; i++) {
		fixture.a[0] += i;
		add(&fixture, (i + 1) * unit);
	}
	assert_true(fixture.samples.interval == 8 * unit);
	assert_int_equal(fixture.samples.n, all / 8);
	for (size_t i = 0; i < fixture.samples.n; i++) {
		/* 0 + ... + 7, then 8 + ... + 15, and so on. */
		assert_int_equal(fixture.samples.metrics.data[0].keys.data[0].gained[i],
				 28 + 64 * i);
		sum += fixture.samples.metrics.data[0].keys.data[0].gained[i];
	}
	assert_int_equal(sum, all * (all - 1) / 2);
	wv_samples_deinit(&fixture.samples);
}

/*
 * Each reading comes a fifth of an interval late, and must still count for the interval that has
 * just ended. The test reads some counts before it calls wv_samples_restart(), which begins the
 * first interval. These counts must not be in that interval.
 */
static void late_readings(void **state)
{
	struct fixture fixture;

	begin(&fixture);
	fixture.a[0] = 100;
	add(&fixture, 0);
	wv_samples_restart(&fixture.samples, 1000);
	for (size_t i = 0; i < 4; i++) {
		fixture.a[0] += i + 1;
		add(&fixture, (i + 1) * unit + unit / 5);
	}
	expect_json(&fixture, "{\"samples\":0,\"of\":\"count\",\"interval_ns\":250000000,\"n\":4,"
			      "\"keys\":[{\"key\":\"a\",\"values\":[1,2,3,4]}]}\n");
	wv_samples_deinit(&fixture.samples);
}

/*
 * Tests sums when a key has lost its row and got one again. The sum then begins at zero, which the
 * reader sees because the count has become smaller, though the sum may be larger than before. If
 * only the sum is smaller, negative values were added.
 */
static void sums_of_moved_rows(void **state)
{
	struct fixture fixture;
	uint64_t values[2] = { 3, 30 };

	begin(&fixture);
	fixture.reading.info.type = WEFT_METRIC_SUM;
	fixture.reading.info.nr_values = 2;
	fixture.rows[0].values = values;
	add(&fixture, unit);
	values[WR_COUNT] = 1;
	values[WR_SUM] = 50;
	add(&fixture, 2 * unit);
	values[WR_COUNT] = 2;
	values[WR_SUM] = 45;
	add(&fixture, 3 * unit);
	expect_json(&fixture, "{\"samples\":0,\"of\":\"sum\",\"interval_ns\":250000000,\"n\":3,"
			      "\"keys\":[{\"key\":\"a\",\"values\":[30,50,-5]}]}\n");
	wv_samples_deinit(&fixture.samples);
}

/*
 * Tests histograms whose rows move between two readings, so that a reading finds a row not at all
 * or twice. What was counted must not be counted again. Only after a reset do counts begin at 0,
 * which the reader sees by the time since the reset.
 */
static void heat_of_moved_rows(void **state)
{
	static const uint64_t counts[] = { 5, 3, 5, 6, 2 };
	struct fixture fixture;
	uint64_t values[WR_VALUES(WEFT_METRIC_HISTOGRAM, 4)] = { 0 };

	begin(&fixture);
	fixture.reading.info = (struct weft_metric_info){
		.type = WEFT_METRIC_HISTOGRAM, .scale = WEFT_SCALE_LINEAR, .step = 10, .buckets = 4,
		.nr_values = WR_VALUES(WEFT_METRIC_HISTOGRAM, 4) };
	fixture.rows[0].values = values;
	for (size_t i = 0; i < 5; i++) {
		values[WR_BUCKETS + 2] = counts[i];
		fixture.reading.info.woven = i < 4 ? (i + 1) * unit : unit / 2;
		add(&fixture, (i + 1) * unit);
	}
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(fixture.samples.metrics.data[0].heat[3 * WV_INTERVALS_MAX + i],
				 ((const uint32_t[]){ 5, 0, 0, 1, 2 })[i]);
	wv_samples_deinit(&fixture.samples);
}

static void heat_of_histograms(void **state)
{
	struct fixture fixture;
	uint64_t values[WR_VALUES(WEFT_METRIC_HISTOGRAM, 4)] = { 0 };

	begin(&fixture);
	fixture.reading.info = (struct weft_metric_info){
		.type = WEFT_METRIC_HISTOGRAM, .scale = WEFT_SCALE_LINEAR, .step = 10, .buckets = 4,
		.nr_values = WR_VALUES(WEFT_METRIC_HISTOGRAM, 4) };
	fixture.rows[0].values = values;
	/*
	 * The first interval has one hit, with the value 25; the second has three, with 25, 99 and
	 * -1.
	 */
	values[WR_BUCKETS + 2]++;
	add(&fixture, unit);
	values[WR_BUCKETS + 2]++;
	values[WR_BUCKETS + 4]++;
	values[WR_BELOW]++;
	add(&fixture, 2 * unit);
	expect_json(&fixture, "{\"samples\":0,\"of\":\"count\",\"interval_ns\":250000000,\"n\":2,"
			      "\"keys\":[{\"key\":\"\",\"values\":[1,3]}],"
			      "\"buckets\":[[null,0],[20,30],[40,null]],"
			      "\"heat\":[[1,0,1],[0,1,1],[1,1,1],[1,2,1]]}\n");
	wv_samples_deinit(&fixture.samples);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gains_by_interval),
		cmocka_unit_test(intervals_become_longer),
		cmocka_unit_test(late_readings),
		cmocka_unit_test(sums_of_moved_rows),
		cmocka_unit_test(heat_of_moved_rows),
		cmocka_unit_test(heat_of_histograms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
