// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a page of invented metrics, by the functions that weft writes pages with. Usage:
 * make-page KIND TREE, TREE being a folder with the source; or make-page compare A B. KIND is:
 *    small: each type of metric, over time, with stacks, source and coverage, and untrusted names
 *    large: ten metrics of a hundred rows each, over time
 *    drill: as small, with the tree of a drill
 *    totals: as small, as `weft report` makes it: without time, command, aspect and records
 *    live, content: as totals, over time, as `weft serve` sends it: first, and later with more hits
 *    a, b: the JSON of two reports, to be compared; compare A B: the page that does
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/metric-table.h"
#include "base/whole-file.h"
#include "report/html.h"
#include "report/metrics-report.h"
#include "report/once-report.h"

enum { FINE = 2, INTERVALS = 120, LINEAR = 20 };

static const char untrusted[] = "</script><img src=x onerror=alert(1)>";
static const char *const names[] = {
	"cc1",  "make",	   "postgres: walwriter", "kworker/3:1", "sshd",
	"bash", "python3", "systemd-journal",	  "ls",		 "git",
};

/* Generates random numbers that are the same on every machine, so that the page is the same. */
static uint64_t state = 88172645463325252ull;

static uint64_t next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Returns a random number: mostly about 2^@bits, now and then a much larger one. */
static uint64_t around(unsigned int bits)
{
	unsigned int shift = bits - 2 + next() % 3 + (next() % 50 ? 0 : 4);

	return (1ull << shift) + next() % (1ull << shift);
}

static void set_key(struct wv_metric_row *row, const char *text)
{
	free(row->texts);
	row->texts = strdup(text);
	row->texts_size = (uint32_t)strlen(text) + 1;
}

static struct wv_metric_reading *add_metric(struct wv_readings *readings, const char *name,
					    unsigned int type, const char *unit, size_t rows)
{
	struct wv_metric_reading *reading = wv_vec_push(&readings->list);
	struct weft_metric_info *info = &reading->info;
	char text[64];

	*info = (struct weft_metric_info){ .type = type, .fine = FINE, .rows = rows,
					   .woven = 30000000000ull, .shadows = 4 };
	snprintf(info->metric, sizeof(info->metric), "%s", name);
	snprintf(info->unit, sizeof(info->unit), "%s", unit);
	info->nr_keys = rows != 0;
	if (rows)
		snprintf(info->by, sizeof(info->by), "comm");
	info->buckets = WR_LOG2_BUCKETS(FINE);
	info->nr_values = WR_VALUES(type, info->buckets);
	for (size_t i = 0; i < rows || !i; i++) {
		struct wv_metric_row *row = wv_vec_push(&reading->rows);

		row->key = i;
		row->values = calloc(info->nr_values, sizeof(*row->values));
		wv_row_begin(info, row->values);
		snprintf(text, sizeof(text), i < 10 ? "%s" : "%s-%zu", names[i % 10], i);
		if (rows)
			set_key(row, i == 1 ? untrusted : text);
	}
	return reading;
}

/* Adds @value to the row of a histogram, as advice does. */
static void add_value(const struct weft_metric_info *info, uint64_t *values, int64_t value)
{
	size_t bucket = value < 0 ? (size_t)WR_BELOW
			: info->scale == WEFT_SCALE_LOG2
				? (size_t)WR_BUCKETS + wr_log2_bucket((uint64_t)value, FINE)
			: (size_t)WR_BUCKETS + (uint64_t)value / info->step;
	size_t last = WR_BUCKETS + info->buckets;

	values[WR_TOTAL] += (uint64_t)value;
	values[bucket < last ? bucket : last]++;
	if (value >= 0 && (uint64_t)value < values[WR_LEAST])
		values[WR_LEAST] = (uint64_t)value;
	if (value >= 0 && (uint64_t)value > values[WR_MOST])
		values[WR_MOST] = (uint64_t)value;
}

static void hit(struct wv_metric_reading *reading, struct wv_metric_row *row, size_t at, size_t i)
{
	struct weft_metric_info *info = &reading->info;
	/*
	 * In a quarter of the intervals the values are larger, as times are when a queue is full.
	 */
	const unsigned int bits = 10 + i % 7 + (at > 60 && at < 90 ? 4 : 0);

	switch (info->type) {
	case WEFT_METRIC_COUNTER:
		row->values[WR_COUNT]++;
		break;
	case WEFT_METRIC_SUM:
	case WEFT_METRIC_CONCURRENCY:
		row->values[WR_COUNT]++;
		row->values[WR_SUM] += around(bits + 6);
		break;
	default:
		add_value(info, row->values, info->scale == WEFT_SCALE_LINEAR
						     ? (int64_t)(next() % 110) - 6
						     : (int64_t)around(bits));
	}
}

/* Adds the hits of interval @at to the rows of all metrics. */
static void pass(struct wv_readings *readings, size_t at)
{
	wv_vec_for_each(reading, &readings->list) {
		for (size_t i = 0; i < reading->rows.n; i++) {
			size_t hits = (40 + (at * (i + 3)) % 37) / (i + 1);

			for (size_t h = 0; h < hits + !(next() % 8); h++)
				hit(reading, &reading->rows.data[i], at, i);
		}
	}
}

static void make_small(struct wv_readings *readings)
{
	struct wv_metric_reading *reading;

	add_metric(readings, "vfs_read", WEFT_METRIC_ELAPSED, "ns", 16);
	add_metric(readings, "opens", WEFT_METRIC_COUNTER, "", 10);
	add_metric(readings, "bytes <read> & \"written\"", WEFT_METRIC_SUM, "B", 8);
	add_metric(readings, "inside", WEFT_METRIC_CONCURRENCY, "ns", 0);
	reading = add_metric(readings, "queue", WEFT_METRIC_HISTOGRAM, "", 3);
	reading->info.scale = WEFT_SCALE_LINEAR;
	reading->info.step = 5;
	reading->info.buckets = LINEAR;
	reading->info.nr_values = WR_VALUES(WEFT_METRIC_HISTOGRAM, LINEAR);
	strcpy(reading->info.value, "$(queue)->length");
	reading = add_metric(readings, "lines", WEFT_METRIC_COUNTER, "", 4);
	strcpy(reading->info.by, "joinpoint");
	for (size_t i = 0; i < 4; i++) {
		char text[32];

		snprintf(text, sizeof(text), "step+0x%zx", i * 16);
		set_key(&reading->rows.data[i], text);
	}
	reading->info.dropped = 12;
	/* This key is made of two values, a program and a stack. */
	reading = add_metric(readings, "stacks", WEFT_METRIC_COUNTER, "", 3);
	reading->info.nr_keys = 2;
	memcpy(reading->info.by, "comm\0stack", 11);
	reading->info.key_kinds[1] = WEFT_KEY_STACK;
	for (size_t i = 0; i < 3; i++) {
		static const char key[] = "cat\0vfs_read+0x5/0x9\nksys_read+0x5c/0xd0";
		struct wv_metric_row *row = &reading->rows.data[i];

		free(row->texts);
		row->texts = malloc(sizeof(key));
		memcpy(row->texts, key, sizeof(key));
		row->texts[2] = "tbr"[i];
		row->texts_size = sizeof(key);
	}
}

static void make_places(struct wv_page_joinpoints *places, struct wv_once *once)
{
	places->all = 4;
	for (unsigned int i = 0; i < 4; i++) {
		struct wv_page_joinpoint *place = wv_vec_push(&places->list);
		struct wv_once_joinpoint *joinpoint = wv_vec_push(&once->list);

		place->splice = i == 3 ? "ftrace" : "jump";
		place->text = (struct weft_joinpoint_text){
			.line = 5 + 5 * i, .symbol_offset = i * 16, .what = "step block",
			.symbol = "step", .function = "step", .file = "step.c" };
		joinpoint->text = place->text;
		joinpoint->hit = i != 2;
		once->nr_hit += joinpoint->hit;
	}
}

static void add_records(struct wv_str *out)
{
	static const char *const stacks[] = {
		"vfs_read+0x5/0x90\\nksys_read+0x5c/0xd0\\ndo_syscall_64+0x50/0x80",
		"vfs_read+0x5/0x90\\nkernel_read+0x4f/0x80\\nbprm_execve+0x2a/0x700\\n"
		"do_execveat_common+0x60/0x200\\ndo_syscall_64+0x50/0x80",
		"ext4_file_read_iter+0x1c/0x120 [ext4]\\nvfs_read+0x1f3/0x300\\n"
		"ksys_read+0x5c/0xd0\\ndo_syscall_64+0x50/0x80",
	};

	for (size_t i = 0; i < 3; i++)
		wv_str_addf(out,
			    "{\"time_ns\":%zu,\"cpu\":0,\"tid\":1,\"comm\":\"weft\","
			    "\"symbol\":\"end\",\"text\":\"%zu hits\\n%s\"}\n",
			    9000000000 + i, 900 / (i + 1), stacks[i]);
	for (size_t i = 0; i < 40; i++)
		wv_str_addf(out,
			    "{\"time_ns\":%zu,\"cpu\":%zu,\"tid\":%zu,\"comm\":\"%s\","
			    "\"file\":\"step.c\",\"line\":10,\"symbol\":\"step\","
			    "\"text\":\"sk_state %zu -> %zu </script><b>\"}\n",
			    1000000000 + i * 12345678, i % 4, 100 + i,
			    i % 3 ? "curl" : untrusted, i % 12, (i + 1) % 12);
}

static const char xml[] =
	"<aspect name=\"reads\">\n"
	"  <pointcut name=\"read\"><function name=\"vfs_read\"/></pointcut>\n"
	"  <elapsed name=\"vfs_read\" of=\"read\" by=\"comm\"/>\n</aspect>\n";

/*
 * The JSON that `weft drill` writes: open() calls walk() twice, from two places, and a function by
 * a pointer.
 */
static const char drill[] =
	"{\"drill\":\"open\",\"depth\":2,\"into\":[\"open\",\"walk\"],\"open\":0,\"apart\":0,"
	"\"dropped\":0,\"calls\":["
	"{\"function\":\"open\",\"level\":0,\"count\":10,\"wall_ns\":10000,\"cpu_ns\":8000,"
	"\"share\":1,\"self_wall_ns\":2000,\"self_cpu_ns\":2000},"
	"{\"function\":\"walk\",\"level\":1,\"caller\":0,\"site\":\"open+0x10\",\"file\":"
	"\"step.c\",\"line\":10,\"pointer\":false,\"count\":10,\"wall_ns\":5000,"
	"\"cpu_ns\":4000,\"share\":0.5,\"self_wall_ns\":2000,\"self_cpu_ns\":2000},"
	"{\"function\":\"dput\",\"level\":2,\"caller\":1,\"site\":\"walk+0x8\",\"count\":20,"
	"\"wall_ns\":3000,\"cpu_ns\":2000,\"share\":0.3},"
	"{\"function\":\"walk\",\"level\":1,\"caller\":0,\"site\":\"open+0x20\",\"count\":1,"
	"\"wall_ns\":1000,\"cpu_ns\":1000,\"share\":0.1,\"self_wall_ns\":1000,"
	"\"self_cpu_ns\":1000},"
	"{\"function\":\"<b>&ext4_open\",\"level\":1,\"caller\":0,\"site\":\"open+0x30\","
	"\"pointer\":true,\"count\":10,\"wall_ns\":2000,\"cpu_ns\":1000,\"share\":0.2}],"
	"\"untimed\":[{\"function\":\"audit\",\"site\":\"open+0x40\",\"reason\":\"joins\"}]}\n";

static void make_report(const char *kind, const char *tree)
{
	struct weft_status status = { .name = "reads", .hits = 48211, .missed = 3, .records = 43 };
	struct wv_totals totals = { .matched = 4, .by_splice = { [WV_SPLICE_JUMP] = 3 } };
	struct wv_page_facts facts = { .host = "build3", .release = "6.1.0-42-amd64",
				       .build_id = "0123456789abcdef0123456789abcdef01234567",
				       .at = 1795691000 };
	struct wv_str text = { 0 }, records = { 0 };
	struct wv_readings readings = { 0 };
	struct wv_page_joinpoints places = { 0 };
	struct wv_samples samples;
	struct wv_once once = { 0 };
	struct wv_error error;
	const bool large = !strcmp(kind, "large"), later = !strcmp(kind, "content");
	const bool live = later || !strcmp(kind, "live");
	const bool totals_only = live || !strcmp(kind, "totals");
	const bool json = strlen(kind) == 1;

	wv_samples_begin(&samples, 0, WV_INTERVAL_NS);
	if (!strcmp(kind, "b"))
		state ^= 0x1234567;
	for (size_t i = 0; large && i < 10; i++) {
		char name[32];

		snprintf(name, sizeof(name), "metric %zu", i);
		add_metric(&readings, name, i % 5, i % 5 == 2 ? "B" : i % 5 ? "ns" : "", 100);
	}
	if (!large) {
		make_small(&readings);
		make_places(&places, &once);
		add_records(&records);
	}
	totals.by_splice[WV_SPLICE_REFUSED] = totals.refused[WEFT_REFUSAL_FTRACE] = 1;
	for (size_t at = 0; at < INTERVALS + (later ? 10 : 0); at++) {
		pass(&readings, strcmp(kind, "b") ? at : 70);
		wv_samples_add(&samples, &readings, (at + 1) * WV_INTERVAL_NS, &error);
	}
	wv_vec_for_each(reading, &readings.list)
		wv_reading_finish(reading);
	if (json) {
		wv_metrics_json(&status, &readings, &text);
		wv_once_json(status.name, &once, &text);
	} else {
		wv_page_html(&(struct wv_page){
				     .facts = &facts, .status = &status, .totals = &totals,
				     .readings = &readings, .once = &once, .places = &places,
				     .samples = totals_only && !live ? NULL : &samples,
				     .part = later ? WV_PAGE_CONTENT :
					     live  ? WV_PAGE_LIVE :
						     WV_PAGE_WHOLE,
				     .command = totals_only ? NULL : "make -j4 vmlinux",
				     .xml = totals_only ? NULL : xml,
				     .records = totals_only ? NULL : records.data,
				     .drill = strcmp(kind, "drill") ? NULL : drill,
				     .tree = tree },
			     &text);
	}
	fwrite(text.data, 1, text.n, stdout);
}

static void make_compare(char *const paths[2])
{
	struct wv_page_facts facts = { .release = "6.1.0-42-amd64", .host = "build3" };
	struct wv_compared compared[2] = { { .name = paths[0] }, { .name = paths[1] } };
	struct wv_str text = { 0 };
	struct wv_error error;

	if (wv_whole_file(paths[0], &compared[0].text, &error) ||
	    wv_whole_file(paths[1], &compared[1].text, &error))
		exit(1);
	wv_compare_html(&facts, compared, &text);
	fwrite(text.data, 1, text.n, stdout);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	if (argc == 4)
		make_compare(argv + 2);
	else
		make_report(argv[1], argv[2]);
	return 0;
}
