// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the tree of calls that `weft drill` makes of its metrics. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"

#include "runtime/metric-table.h"
#include "report/drill-tree.h"

enum { FINE = 3, BUCKETS = WR_LOG2_BUCKETS(FINE), METRICS = 6 };

static struct wv_metric_reading metrics[METRICS];
static struct wv_readings readings = { .list = { .data = metrics, .n = METRICS } };

/* Adds a row to metric @index with the key @texts, of @size bytes: @n times that take @ns each. */
static void add_row(size_t index, const char *texts, size_t size, unsigned int n, uint64_t ns)
{
	struct wv_metric_reading *reading = &metrics[index];
	struct wv_metric_row *row = wv_vec_push(&reading->rows);
	struct wr_area *area = calloc(1, sizeof(*area) + (BUCKETS + 5) * sizeof(__u64));

	wv_row_begin(&reading->info, (uint64_t *)area->cells);
	for (unsigned int i = 0; index % 2 == 0 && i < n; i++)
		wr_log2_add(area->cells, area->cells, ns, 0, FINE);
	if (index % 2) {
		area->cells[WR_COUNT] = n;
		area->cells[WR_SUM] = n * ns;
	}
	*row = (struct wv_metric_row){ .texts = memcpy(malloc(size), texts, size),
				       .texts_size = size,
				       .values = malloc((BUCKETS + 5) * sizeof(uint64_t)) };
	memcpy(row->values, area->cells, (BUCKETS + 5) * sizeof(uint64_t));
	free(area);
}
#define ADD(index, texts, n, ns) add_row(index, texts, sizeof(texts), n, ns)

static int begin(void **state)
{
	for (size_t i = 0; i < METRICS; i++)
		metrics[i] = (struct wv_metric_reading){
			.info = { .unit = "ns", .fine = FINE, .buckets = BUCKETS,
				  .type = i % 2 ? WEFT_METRIC_CONCURRENCY : WEFT_METRIC_ELAPSED,
				  .nr_keys = i < 2 ? 0 : i % 2 ? 1 : 4, .rows = i < 2 ? 0 : 16,
				  .nr_values = i % 2 ? 2 :
					       WR_VALUES(WEFT_METRIC_ELAPSED, BUCKETS) },
		};
	return 0;
}

static int end(void **state)
{
	for (size_t i = 0; i < METRICS; i++) {
		wv_vec_for_each(row, &metrics[i].rows)
			wv_metric_row_deinit(row);
		wv_vec_deinit(&metrics[i].rows);
	}
	return 0;
}

static struct wv_drill_site open_sites[] = {
	{ .symbol = "open", .offset = 0x10, .length = 5, .file = "fs/open.c", .line = 3,
	  .to = "walk" },
	{ .symbol = "open", .offset = 0x20, .length = 5, .file = "fs/open.c", .line = 9,
	  .inlined = "inner" },
	{ .symbol = "open", .offset = 0x30, .length = 5, .to = "audit",
	  .refusal = WEFT_REFUSAL_JOINS },
};
static struct wv_drill_site walk_sites[] = {
	{ .symbol = "walk", .offset = 0x8, .length = 5, .to = "dput" },
};
static const struct wv_drill_into into[] = {
	{ "open", { .data = open_sites, .n = 3 } },
	{ "walk", { .data = walk_sites, .n = 1 } },
};
static const struct wv_drill_facts facts = { .into = into, .n = 2, .depth = 2 };

/*
 * Adds two calls of open() of 1000 ns each, of which walk() takes 300, and ext4_open(), which is
 * called by a pointer, 500.
 */
static void add_all(void)
{
	ADD(0, "", 2, 1000);
	ADD(1, "", 2, 900);
	ADD(2, "11\0001\0open+0x10\0walk", 2, 300);
	ADD(3, "11", 2, 250);
	ADD(2, "12\0001\0open+0x20\0ext4_open [ext4]", 2, 500);
	ADD(3, "12", 2, 500);
	ADD(4, "21\00011\0walk+0x8\0dput", 4, 50);
	ADD(5, "21", 4, 40);
}

static void a_tree(void **state)
{
	const struct wv_drill_node *nodes;
	struct wv_drill drill;
	struct wv_error error;

	add_all();
	assert_int_equal(wv_drill_read(&readings, &facts, &drill, &error), 0);
	nodes = drill.nodes.data;
	assert_int_equal(drill.nodes.n, 4);
	assert_string_equal(nodes[0].function, "open");
	assert_string_equal(nodes[1].function, "ext4_open [ext4]");
	assert_string_equal(nodes[2].function, "walk");
	assert_string_equal(nodes[3].function, "dput");
	assert_int_equal(nodes[3].parent, 2);
	assert_int_equal(nodes[3].level, 2);
	assert_int_equal(nodes[3].count, 4);
	assert_ptr_equal(nodes[1].site, &open_sites[1]);
	/* A function's own time is its time without that of its timed calls. */
	assert_true(nodes[0].gone_into && nodes[2].gone_into);
	assert_false(nodes[1].gone_into || nodes[3].gone_into);
	assert_int_equal(nodes[0].self_wall, 2000 - 600 - 1000);
	assert_int_equal(nodes[0].self_cpu, 1800 - 500 - 1000);
	assert_int_equal(nodes[2].self_wall, 600 - 200);
	assert_int_equal(nodes[2].self_cpu, 500 - 160);
	wv_drill_deinit(&drill);
}

/* At the last level, no function may be drilled further, though this one has been. */
static void the_last_level(void **state)
{
	const struct wv_drill_facts flat = { .into = into, .n = 2, .depth = 1 };
	struct wv_drill drill;
	struct wv_error error;

	ADD(0, "", 2, 1000);
	ADD(2, "11\0001\0open+0x10\0walk", 2, 300);
	assert_int_equal(wv_drill_read(&readings, &flat, &drill, &error), 0);
	assert_int_equal(drill.nodes.n, 2);
	assert_false(drill.nodes.data[1].gone_into);
	wv_drill_deinit(&drill);
}

static void as_text(void **state)
{
	struct wv_str text = { 0 };
	struct wv_drill drill;
	struct wv_error error;

	add_all();
	metrics[2].info.open = 1;
	/*
	 * These calls were made within a call that has not ended yet, so the row of that call is
	 * missing.
	 */
	ADD(4, "22\00099\0walk+0x8\0dput", 3, 50);
	assert_int_equal(wv_drill_read(&readings, &facts, &drill, &error), 0);
	wv_drill_text(&drill, &facts, 0, &text);
	assert_string_equal(
		text.data,
		"\n      wall    share   on a CPU     count       mean  call\n"
		"      2 us  100.0 %     1.8 us         2       1 us  open\n"
		"      1 us   50.0 %       1 us         2     500 ns    ext4_open [ext4]"
		"  fs/open.c:9 in inner, by a pointer\n"
		"    600 ns   30.0 %     500 ns         2     300 ns    walk  fs/open.c:3\n"
		"    200 ns   10.0 %     160 ns         4      50 ns      dput\n"
		"    400 ns   20.0 %     340 ns                           (itself)\n"
		"    400 ns   20.0 %     300 ns                         (itself)\n"
		"  1 started and not ended\n"
		"  NOT SHOWN: 3 calls in such calls\n"
		"\nnot timed, so a part of the caller itself:\n"
		"  audit at open+0x30: joins\n"
		"  joins: the call's return address may also be reached without the call, and "
		"the call or that address cannot be spliced\n");
	wv_str_deinit(&text);
	wv_drill_text(&drill, &facts, 1, &text);
	assert_contains(text.data, "    600 ns   30.0 %     500 ns                         "
				   "(1 more call)\n");
	wv_str_deinit(&text);
	wv_drill_deinit(&drill);
}

static void as_json(void **state)
{
	struct wv_str json = { 0 };
	struct wv_drill drill;
	struct wv_error error;

	add_all();
	assert_int_equal(wv_drill_read(&readings, &facts, &drill, &error), 0);
	wv_drill_json(&drill, &facts, &json);
	assert_contains(json.data, "{\"drill\":\"open\",\"depth\":2,\"into\":[\"open\",\"walk\"],"
				   "\"open\":0,\"apart\":0,\"dropped\":0,\"calls\":[{\"function\":"
				   "\"open\",\"level\":0,\"count\":2,\"wall_ns\":2000,");
	assert_contains(json.data, "\"share\":0.300000,\"self_wall_ns\":400,\"self_cpu_ns\":340}");
	assert_contains(json.data, "\"caller\":0,\"site\":\"open+0x20\",\"file\":\"fs/open.c\","
				   "\"line\":9,\"inlined\":\"inner\",\"pointer\":true,");
	assert_contains(json.data, "\"untimed\":[{\"function\":\"audit\",\"site\":\"open+0x30\","
				   "\"reason\":\"joins\"}]}\n");
	wv_str_deinit(&json);
	wv_drill_deinit(&drill);
}

static void nothing_was_called(void **state)
{
	struct wv_str text = { 0 };
	struct wv_drill drill;
	struct wv_error error;

	assert_int_equal(wv_drill_read(&readings, &facts, &drill, &error), 0);
	wv_drill_text(&drill, &facts, 0, &text);
	assert_contains(text.data, "      0 ns    0.0 %       0 ns         0             open\n");
	wv_str_deinit(&text);
	wv_drill_deinit(&drill);
	readings.list.n--;
	assert_int_equal(wv_drill_read(&readings, &facts, &drill, &error), -WV_E_FORMAT);
	readings.list.n++;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_tree), TEST(the_last_level), TEST(as_text), TEST(as_json),
		TEST(nothing_was_called),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
