// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests module/call-graph.c: parsing the call graph that GCC writes, and incomplete lines. */
#include "cmocka-all.h"
#include "module/call-graph.h"

static void test_calls(void **state)
{
	const char text[] =
		"graph: { title: \"a.c\"\n"
		"node: { title: \"a.c:f\" label: \"f\\na.c:5:38\\n16 bytes (static)\" }\n"
		"node: { title: \"ext\" label: \"ext\\na.c:1:46\" shape : ellipse }\n"
		"edge: { sourcename: \"a.c:f\" targetname: \"ext\" label: \"a.c:5:60\" }\n}\n";
	struct wv_call_graph graph = { 0 };
	const struct wv_compiled_function *f;

	assert_true(wv_call_graph_parse(&graph, text));
	f = wv_call_graph_find(&graph, "f");
	assert_non_null(f);
	assert_int_equal(f->frame, 16 + 8);
	assert_int_equal(f->nr_calls, 1);
	assert_string_equal(graph.functions.data[graph.calls.data[f->first_call].to].name, "ext");
	assert_int_equal(graph.calls.data[f->first_call].place.column, 60);
	wv_call_graph_deinit(&graph);
}

/* A node without a label or a title, or whose quotation mark is not closed, is skipped. */
static void test_incomplete_nodes(void **state)
{
	const char text[] =
		"graph: { title: \"a.c\"\n"
		"node: { title: \"a.c:without a label\" }\n"
		"node: { label: \"without a title\" }\n"
		"node: { title: \"a.c:open\" label: \"open\n"
		"node: { title: \"a.c:f\" label: \"f\\na.c:5:38\" }\n"
		"edge: { sourcename: \"a.c:f\" targetname: \"a.c:open\" label: \"a.c:5:60\" }\n";
	struct wv_call_graph graph = { 0 };

	assert_true(wv_call_graph_parse(&graph, text));
	assert_int_equal(graph.functions.n, 1);
	assert_int_equal(graph.calls.n, 0);
	assert_non_null(wv_call_graph_find(&graph, "f"));
	assert_null(wv_call_graph_find(&graph, "open"));
	wv_call_graph_deinit(&graph);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_incomplete_nodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
