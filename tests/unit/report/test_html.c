// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests HTML pages: all text must be escaped, also in the data for the page's script, and parts
 * whose contents are not known must be left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"

#include "runtime/metric-table.h"
#include "report/html-text.h"
#include "report/html.h"

static uint64_t nine[2] = { 4, 111 }, seven[2] = { 2, 10 };
static struct wv_metric_row rows[2] = {
	{ .key = 9, .texts = "</script><b>", .texts_size = 13, .values = nine },
	{ .key = 7, .texts = "seven", .texts_size = 6, .values = seven },
};
static struct wv_metric_reading reading = {
	.info = { .type = WEFT_METRIC_SUM, .nr_values = 2, .rows = 4, .metric = "<script>\"&",
		  .nr_keys = 1, .by = "comm", .unit = "B", .woven = 1000, .full = 5, .dropped = 3,
		  .replaced_rows = 6, .missing = 11, .pairs = 16, .deep = 2, .replaced = 1 },
	.rows = { .data = rows, .n = 2 },
};
static const struct wv_readings readings = { .list = { .data = &reading, .n = 1 } };
static struct wv_once_joinpoint blocks[2] = {
	{ .text = { .symbol = "<f>", .symbol_offset = 5, .file = "a.c", .line = 9 } },
	{ .text = { .symbol = "g" }, .hit = true },
};
static const struct wv_once once = { .list = { .data = blocks, .n = 2 }, .nr_hit = 1 };
static const struct weft_status status = { .name = "sample" };
static const struct wv_page_facts facts = { .host = "<host>", .release = "6.1" };

static size_t count(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)); text++)
		n++;
	return n;
}

static void pages_are_escaped(void **state)
{
	struct wv_page page = { .facts = &facts, .status = &status, .readings = &readings,
				.once = &once, .xml = "<aspect name=\"'\"/>",
				.command = "cat </title>" };
	struct wv_str html = { 0 };

	wv_page_html(&page, &html);
	/*
	 * There are two script elements, the data and the script, and no text may end them early.
	 */
	assert_int_equal(count(html.data, "<script"), 2);
	assert_int_equal(count(html.data, "</script"), 2);
	assert_contains(html.data, "<p class=\"lost\">NOT COUNTED: 3 starts found no room "
				   "beside other keys; pairs=&quot;32&quot; would help</p>");
	assert_contains(html.data, "<p class=\"lost\">NOT COUNTED: 2 starts came while 8 of their "
				   "key had not ended; with nest=&quot;no&quot;");
	assert_contains(html.data, "<p class=\"note\">1 start replaced by a newer one</p>");
	/* If hits found no row (.full), .missing is no upper bound of what a key may lack. */
	assert_contains(html.data, "<p class=\"lost\">NOT KEPT: the table of 4 keys was full; a "
				   "key may lack any part of the other keys; "
				   "rows=&quot;8&quot; would help</p>");
	assert_contains(html.data, "<p class=\"lost\">NOT KEPT, either: 5 hits in interrupts");
	assert_contains(html.data, "<h2>&lt;script&gt;&quot;&amp;</h2>");
	assert_contains(html.data, "<td class=\"key\">&lt;/script&gt;&lt;b&gt;</td><td>4</td>"
				   "<td data-v=\"111\">111 B</td>");
	assert_contains(html.data, "\"key\":\"\\u003c/script>\\u003cb>\"");
	assert_contains(html.data, "<td>&lt;f&gt;+0x5</td><td>a.c:9</td><td>no</td>");
	assert_contains(html.data, "<td>g+0x0</td><td></td><td>yes</td>");
	assert_contains(html.data, "&lt;aspect name=&quot;&#39;&quot;/&gt;");
	assert_contains(html.data, "cat &lt;/title&gt;");
	assert_contains(html.data, "<dd>&lt;host&gt;</dd>");
	assert_contains(html.data, "not woven now");
	assert_contains(html.data, "totals only");
	wv_str_deinit(&html);
}

static void only_its_own_script_runs(void **state)
{
	struct wv_page page = { .facts = &facts, .status = &status, .readings = &readings,
				.once = &once };
	struct wv_str html = { 0 };

	wv_page_html(&page, &html);
	assert_contains(html.data, "default-src 'none'; script-src 'sha256-");
	assert_null(strstr(html.data, "http-equiv=\"refresh"));
	assert_null(strstr(html.data, "src=\""));
	wv_str_deinit(&html);
}

static void shares_and_totals(void **state)
{
	struct wv_str out = { 0 };

	wv_html_metric_table(&reading, &out);
	assert_contains(out.data, "<th scope=\"col\">share</th>");
	assert_contains(out.data, "data-v=\"0.9174\"><i style=\"width:91.7%\"></i>91.7 %</td>");
	assert_contains(out.data, "<tr><td colspan=\"1\">all</td><td>6</td>"
				  "<td data-v=\"121\">121 B</td>");
	wv_str_deinit(&out);
}

/* Reports that are compared become text in the page's script, so markup in them must be escaped. */
static void compared_reports_are_text(void **state)
{
	struct wv_compared compared[2] = { { .name = "<a>" }, { .name = "b" } };
	struct wv_str html = { 0 };

	wv_str_add(&compared[0].text, "{\"metric\":\"</script>\"}\n");
	wv_compare_html(&facts, compared, &html);
	assert_int_equal(count(html.data, "</script"), 2);
	assert_contains(html.data, "{\"compared\":\"\\u003ca>\",\"text\":\"{\\\"metric\\\":"
				   "\\\"\\u003c/script>\\\"}\\u000a\"}");
	wv_str_deinit(&compared[0].text);
	wv_str_deinit(&html);
}

/*
 * A joinpoint that is not spliced must count as refused, unless its advice has run once and was
 * taken out of the text.
 */
static void totals_of_what_is_woven(void **state)
{
	struct weft_shadow_status spliced[2] = { { .kind = WEFT_SPLICE_JUMP },
						 { .kind = WEFT_SPLICE_TRAP } };
	const struct wv_spliced shadows = { .list = { .data = spliced, .n = 2 } };
	const struct weft_status woven = { .nr_joinpoints = 5, .nr_splices = 2 };
	const struct wv_once out = { .nr_out = 1 };
	struct wv_totals totals;

	wv_page_totals(&woven, &shadows, &out, &totals);
	assert_int_equal(totals.matched, 5);
	assert_int_equal(totals.by_splice[WV_SPLICE_JUMP], 1);
	assert_int_equal(totals.by_splice[WV_SPLICE_TRAP], 1);
	assert_int_equal(totals.by_splice[WV_SPLICE_REFUSED], 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_are_escaped),
		cmocka_unit_test(only_its_own_script_runs),
		cmocka_unit_test(shares_and_totals),
		cmocka_unit_test(compared_reports_are_text),
		cmocka_unit_test(totals_of_what_is_woven),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
