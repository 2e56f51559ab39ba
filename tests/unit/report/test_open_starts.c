// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests starts of pairs that wait for their end: how they are read from the device, and how reports
 * show them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"

#include "report/metrics-report.h"
#include "report/open-starts.h"

/* Writes a start as the device does, with @n bytes of texts. Returns its size. */
static size_t put_start(char *to, const struct weft_open_pair *start, const char *texts, size_t n)
{
	struct weft_open_pair head = *start;

	head.text_size = (n + 7) / 8 * 8;
	memcpy(to, &head, sizeof(head));
	memset(to + sizeof(head), 0, head.text_size);
	memcpy(to + sizeof(head), texts, n);
	return sizeof(head) + head.text_size;
}
#define PUT(to, start, texts) put_start(to, start, texts, sizeof(texts))

static void free_open(struct wv_metric_reading *reading)
{
	wv_vec_for_each(pair, &reading->open)
		free(pair->texts);
	wv_vec_deinit(&reading->open);
}

static struct wv_metric_reading of_tasks(void)
{
	struct wv_metric_reading reading = {
		.info = { .type = WEFT_METRIC_ELAPSED, .metric = "times", .unit = "ns", .open = 3,
			  .nr_keys = 2, .rows = 4, .by = "comm\0stack",
			  .key_kinds = { WEFT_KEY_TEXT, WEFT_KEY_STACK } },
	};
	struct wv_error error;
	char buffer[1000];
	size_t n = 0;

	n += PUT(buffer + n,
		 (&(struct weft_open_pair){ .key_kind = WEFT_PAIR_TASK, .pid = 7, .tid = 8,
					    .comm = "la\033te", .since = 3500000000, .age = 2000 }),
		 "f+0x5\0cat\0f+0x6/0x9\ng+0x1/0x2");
	n += PUT(buffer + n,
		 (&(struct weft_open_pair){ .key_kind = WEFT_PAIR_TASK, .since = 1000000001,
					    .age = 2500000000 }), "\0ended\0");
	assert_int_equal(wv_reading_add_open(&reading, buffer, n, &error), 0);
	n = PUT(buffer, (&(struct weft_open_pair){ .key_kind = WEFT_PAIR_TASK, .tid = 1,
						   .comm = "middle", .since = 2000000000 }), "h");
	assert_int_equal(wv_reading_add_open(&reading, buffer, n - 1, &error), -WV_E_FORMAT);
	assert_int_equal(wv_reading_add_open(&reading, buffer, n, &error), 0);
	wv_reading_sort_open(&reading);
	return reading;
}

static void the_oldest_first(void **state)
{
	struct wv_metric_reading reading = of_tasks();
	struct wv_str text = { 0 };

	wv_open_pairs_text(&reading, 0, &text);
	assert_string_equal(
		text.data,
		"    task                        since (s)        age  where, comm, stack\n"
		"    (ended, or idle)          1.000000001      2.5 s  -, ended, \n"
		"    middle-1                  2.000000000       0 ns  h, , \n"
		"    la?te-8                   3.500000000       2 us  f+0x5, cat, \n"
		"        f+0x6/0x9\n"
		"        g+0x1/0x2\n");
	wv_str_deinit(&text);
	wv_open_pairs_text(&reading, 1, &text);
	assert_contains(text.data, "-, ended, \n    (2 more; --open shows all)\n");
	wv_str_deinit(&text);
	free_open(&reading);
}

static void as_json(void **state)
{
	struct wv_metric_reading reading = of_tasks();
	struct wv_str json = { 0 };

	wv_metrics_json(&(struct weft_status){ .name = "sample" },
			&(struct wv_readings){ .list = { .data = &reading, .n = 1 } }, &json);
	assert_contains(json.data,
			"\"open\":3,\"open_pairs\":[{\"since_ns\":1000000001,\"age_ns\":2500000000,"
			"\"keys\":[\"ended\",\"\"]},{\"pid\":0,\"tid\":1,\"comm\":\"middle\",");
	assert_contains(json.data, "\"where\":\"f+0x5\",\"keys\":[\"cat\",\"f+0x6/0x9\\u000a");
	wv_str_deinit(&json);
	free_open(&reading);
}

static void other_keys(void **state)
{
	struct wv_metric_reading reading = { .info = { .unit = "ns" } };
	struct wv_str text = { 0 };
	struct wv_error error;
	char buffer[1000];
	size_t n = 0;

	n += PUT(buffer + n, (&(struct weft_open_pair){ .key = 0xffff888000001000, .since = 1 }),
		 "f+0x1");
	n += PUT(buffer + n, (&(struct weft_open_pair){ .key = 42, .since = 2 }), "f+0x1");
	assert_int_equal(wv_reading_add_open(&reading, buffer, n, &error), 0);
	wv_open_pairs_text(&reading, 5, &text);
	assert_contains(text.data, "    key  ");
	assert_contains(text.data, "\n    0xffff888000001000        0.000000001       0 ns  f+0x1\n"
				   "    42                        0.000000002       0 ns  f+0x1\n");
	wv_str_deinit(&text);
	free_open(&reading);
}

/* Damaged data from the device must be noticed, although the device is trusted. */
static void damaged(void **state)
{
	struct wv_metric_reading reading = { 0 };
	struct weft_open_pair unending = { .since = 1 };
	struct wv_error error;
	char buffer[1000];
	size_t n = PUT(buffer, (&(struct weft_open_pair){ .since = 1 }), "f");

	for (size_t size = 1; size < n; size++)
		assert_int_equal(wv_reading_add_open(&reading, buffer, size, &error), -WV_E_FORMAT);
	memset(buffer + n - 8, 'f', 8);
	assert_int_equal(wv_reading_add_open(&reading, buffer, n, &error), -WV_E_FORMAT);
	memset(unending.comm, 'c', sizeof(unending.comm));
	n = PUT(buffer, &unending, "f");
	assert_int_equal(wv_reading_add_open(&reading, buffer, n, &error), -WV_E_FORMAT);
	assert_int_equal(reading.open.n, 0);
	wv_vec_deinit(&reading.open);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_oldest_first),
		cmocka_unit_test(as_json),
		cmocka_unit_test(other_keys),
		cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
