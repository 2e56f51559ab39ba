// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the order of rows, how many are shown, and their last intervals, which are drawn as a line
 * of bars.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"

#include "report/arrange.h"
#include "report/metrics-report.h"
#include "report/sparkline.h"

static uint64_t few[2] = { 2, 90 }, many[2] = { 50, 100 }, some[2] = { 10, 500 };

struct fixture {
	struct wv_metric_row rows[3];
	struct wv_metric_reading reading;
	struct wv_readings readings;
};

static void make(struct fixture *fixture)
{
	*fixture = (struct fixture){
		.rows = { { .key = 1, .texts = "many", .texts_size = 5, .values = many },
			  { .key = 2, .texts = "some", .texts_size = 5, .values = some },
			  { .key = 3, .texts = "few", .texts_size = 4, .values = few } },
		.reading.info = { .type = WEFT_METRIC_SUM, .rows = 8, .nr_values = 2,
				  .nr_keys = 1, .metric = "m", .by = "comm" },
	};
	fixture->reading.rows.data = fixture->rows;
	fixture->reading.rows.n = 3;
	fixture->readings.list.data = &fixture->reading;
	fixture->readings.list.n = 1;
}

static void expect_order(struct fixture *fixture, const char *column, const char *order)
{
	char text[64] = "";

	make(fixture);
	assert_true(wv_readings_sort(&fixture->readings, column));
	for (size_t i = 0; i < 3; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s ",
			 wv_row_text(&fixture->rows[i], 0));
	assert_string_equal(text, order);
}

static void by_columns(void **state)
{
	struct fixture fixture;

	expect_order(&fixture, "count", "many some few ");
	expect_order(&fixture, "sum", "some many few ");
	expect_order(&fixture, "mean", "some few many ");
	expect_order(&fixture, "key", "few many some ");
	make(&fixture);
	assert_false(wv_readings_sort(&fixture.readings, "p99"));
	assert_string_equal(fixture.rows[0].texts, "many");
	fixture.readings.list.n = 0;
	assert_true(wv_readings_sort(&fixture.readings, "p99"));
}

static void the_first_rows(void **state)
{
	const struct wv_text_view view = { .top = 1 };
	struct fixture fixture;
	struct wv_str out = { 0 };

	make(&fixture);
	wv_metrics_text(&fixture.readings, &view, &out);
	assert_contains(out.data, "  many ");
	assert_contains(out.data, "\n  (2 more rows)\n");
	assert_null(strstr(out.data, "  some "));
	wv_str_deinit(&out);
}

static void expect_spark(const struct wv_samples *samples, bool utf8, const char *wanted)
{
	struct wv_str out = { 0 };

	wv_sparkline(samples, 0, "some", utf8, &out);
	assert_string_equal(wv_str_text(&out), wanted);
	wv_str_deinit(&out);
}

static void last_intervals(void **state)
{
	struct wv_samples samples;
	struct fixture fixture;
	struct wv_error error;

	make(&fixture);
	fixture.reading.info.type = WEFT_METRIC_COUNTER;
	fixture.reading.info.nr_values = 1;
	wv_samples_begin(&samples, 0, 1000000000);
	some[0] = 0;
	for (uint64_t i = 0; i < 4; i++) {
		some[0] += i * 40;
		assert_int_equal(wv_samples_add(&samples, &fixture.readings, (i + 1) * 1000000000,
						&error), 0);
	}
	expect_spark(&samples, true, "                 ▃▆█ 120/s");
	expect_spark(&samples, false, "                 :+# 120/s");
	assert_int_equal(samples.n, 4);
	wv_samples_deinit(&samples);
	expect_spark(&samples, true, "");
}

static void locales(void **state)
{
	setenv("LC_ALL", "", 1);
	setenv("LC_CTYPE", "de_DE.UTF-8", 1);
	setenv("LANG", "C", 1);
	assert_true(wv_terminal_is_utf8());
	setenv("LC_ALL", "C", 1);
	assert_false(wv_terminal_is_utf8());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_columns),
		cmocka_unit_test(the_first_rows),
		cmocka_unit_test(last_intervals),
		cmocka_unit_test(locales),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
