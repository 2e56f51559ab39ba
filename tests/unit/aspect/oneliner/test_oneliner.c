// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests aspect/oneliner: the aspect language must be able to read the aspect of every one-liner. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "aspect/language/load.h"
#include "aspect/oneliner/oneliner.h"

static struct wv_aspect *aspect_of(const struct wv_oneliner *asked)
{
	struct wv_oneliner_made made;
	struct wv_aspect *aspect = NULL;
	struct wv_error error;

	if (wv_oneliner_make(asked, &made, &error))
		fail_msg("%s", error.message);
	if (wv_aspect_load_text(made.file, &made.xml, &aspect, NULL, &error))
		fail_msg("%u:%u: %s in\n%s", error.line, error.column, error.message,
			 made.xml.data);
	wv_oneliner_made_deinit(&made);
	return aspect;
}

/* Each type of one-liner, with various points and options, must make a valid aspect. */
static void test_types(void **state)
{
	char *arguments[] = { "$arg1", "1 < 2 && \"a\"[0] > 'b'" };
	const struct wv_oneliner all[] = {
		{ .type = WV_ONELINER_COUNT, .points = { "vfs_read" }, .by = "comm" },
		{ .type = WV_ONELINER_COUNT, .points = { "fs/namei.c:12" }, .within = "fs/" },
		{ .type = WV_ONELINER_COUNT, .points = { "m:vfs_*%inlined" }, .within = "f" },
		{ .type = WV_ONELINER_COUNT, .points = { "vfs_read%blocks" }, .by = "joinpoint",
		  .rows = "8" },
		{ .type = WV_ONELINER_COUNT, .points = { "vfs_read%calls" }, .by = "target" },
		{ .type = WV_ONELINER_COUNT, .points = { "vfs_read+0x1f" }, .pid = "1|2" },
		{ .type = WV_ONELINER_COUNT, .points = { ".sym get|address|init" } },
		{ .type = WV_ONELINER_HIST, .points = { "a%exit" }, .value = "$ret", .unit = "B" },
		{ .type = WV_ONELINER_TIME, .points = { "vfs_read" }, .uid = "0" },
		{ .type = WV_ONELINER_TIME, .points = { "a.c:1", "s.m set" } },
		{ .type = WV_ONELINER_LOG, .points = { "vfs_read%callers" }, .format = "%p %d",
		  .arguments = arguments, .nr_arguments = 2 },
		{ .type = WV_ONELINER_LOG, .points = { "s.m" }, .format = "\"\\\"]]>&amp;\\" },
		{ .type = WV_ONELINER_WATCH, .points = { "s.m.n" }, .stack = true, .hex = true },
		{ .type = WV_ONELINER_WATCH, .points = { "s.m@exact rmw" }, .changed = true },
		{ .type = WV_ONELINER_STACKS, .points = { "f" }, .include = "linux/fs.h" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		wv_aspect_destroy(aspect_of(&all[i]));
}

/* Blanks, quotes and characters that have a meaning in XML must reach the aspect unchanged. */
static void test_escapes(void **state)
{
	static const char condition[] = "a < b && c > d || *\"\t'&lt; \"";
	const struct wv_oneliner asked = {
		.type = WV_ONELINER_COUNT, .points = { "f" }, .condition = condition,
		.by = "x[\"<\"]", .comm = "a<b&\">",
	};
	struct wv_aspect *aspect = aspect_of(&asked);
	const struct wv_metric *metric = aspect->metrics.data[0];

	(void)state;
	assert_string_equal(metric->condition.text, condition);
	assert_string_equal(metric->by.text, "x[\"<\"]");
	assert_string_equal(aspect->advices.data[0].filter->comms.data[0], "a<b&\">");
	wv_aspect_destroy(aspect);
}

static void test_names(void **state)
{
	const struct wv_oneliner asked[] = {
		{ .type = WV_ONELINER_COUNT, .points = { "vfs_open" }, .by = "comm" },
		{ .type = WV_ONELINER_LOG, .points = { "sock.sk_state set|rmw" } },
		{ .type = WV_ONELINER_STACKS, .points = { "f" }, .name = "mine" },
	};
	static const char *const wanted[] = { "count_vfs_open_by_comm.xml",
					      "log_sock_sk_state_set_rmw.xml", "mine.xml" };
	struct wv_oneliner_made made;
	struct wv_error error;

	(void)state;
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		assert_int_equal(wv_oneliner_make(&asked[i], &made, &error), 0);
		assert_string_equal(made.file, wanted[i]);
		wv_oneliner_made_deinit(&made);
	}
}

/*
 * Inlined instances must be left out only if the one-liner uses a value that cannot be found in
 * them.
 */
static void test_inlined(void **state)
{
	static const struct {
		struct wv_oneliner asked;
		const char *left_out;
	} all[] = {
		{ { .type = WV_ONELINER_COUNT, .points = { "f" } }, "" },
		{ { .type = WV_ONELINER_COUNT, .points = { "f" }, .condition = "$(a)" }, "" },
		{ { .type = WV_ONELINER_COUNT, .points = { "f" }, .by = "$arg1" }, "f" },
		{ { .type = WV_ONELINER_HIST, .points = { "f" }, .value = "$ret" }, "f" },
		{ { .type = WV_ONELINER_TIME, .points = { "f" } }, "f" },
		{ { .type = WV_ONELINER_COUNT, .points = { "f%entry" }, .by = "$arg1" }, "" },
	};
	struct wv_oneliner_made made;
	struct wv_error error;

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		assert_int_equal(wv_oneliner_make(&all[i].asked, &made, &error), 0);
		assert_string_equal(made.inlined, all[i].left_out);
		assert_int_equal(!strstr(made.xml.data, "inlined"),
				 *all[i].left_out || strchr(all[i].asked.points[0], '%'));
		wv_oneliner_made_deinit(&made);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_inlined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
