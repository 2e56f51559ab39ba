// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses GCC's call graph; see call-graph.h. It is in the format of VCG, with one node or edge per
 * line:
 *
 * 	graph: { title: "a.c"
 * 	node: { title: "a.c:f" label: "f\na.c:5:38\n16 bytes (static)\n0 dynamic objects" }
 * 	node: { title: "ext" label: "ext\na.c:1:46" shape : ellipse }
 * 	edge: { sourcename: "a.c:f" targetname: "ext" label: "a.c:5:60" }
 *
 * where \n is a backslash and a letter.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "module/call-graph.h"

enum { RETURN_ADDRESS = 8 };

/*
 * Returns a copy of the text between @key and the next quotation mark in @line, which the caller
 * frees; NULL if there is no such text.
 */
static char *quoted(const char *line, const char *key)
{
	const char *start = strstr(line, key), *end;

	if (!start)
		return NULL;
	start += strlen(key);
	end = strchr(start, '"');
	return end ? strndup(start, end - start) : NULL;
}

/* Parses "FILE:LINE:COLUMN", which is @n bytes of @text. The file's name may have colons. */
static bool parse_place(const char *text, size_t n, struct wv_call_location *ret)
{
	char *copy = strndup(text, n), *column, *line = NULL;

	column = copy ? strrchr(copy, ':') : NULL;
	if (column) {
		*column = '\0';
		line = strrchr(copy, ':');
	}
	if (!line) {
		free(copy);
		return false;
	}
	*line = '\0';
	ret->line = strtoul(line + 1, NULL, 10);
	ret->column = strtoul(column + 1, NULL, 10);
	ret->file = copy;
	return true;
}

static bool parse_source(struct wv_call_graph *graph, const char *line)
{
	free(graph->source);
	graph->source = quoted(line, "title: \"");
	return graph->source;
}

static bool parse_function(struct wv_call_graph *graph, const char *line)
{
	char *title = quoted(line, "title: \""), *label = quoted(line, "label: \"");
	struct wv_compiled_function *function;
	char *place, *frame;

	if (!title || !label) {
		free(title);
		free(label);
		return true;
	}
	function = wv_vec_push(&graph->functions);
	if (!function) {
		free(title);
		free(label);
		return false;
	}
	function->title = title;
	function->external = strstr(line, "shape : ellipse");
	place = strstr(label, "\\n");
	function->name = strndup(label, strcspn(label, ".\\"));
	frame = place ? strstr(place + 2, "\\n") : NULL;
	if (place)
		parse_place(place + 2, frame ? (size_t)(frame - place - 2) : strlen(place + 2),
			    &function->place);
	if (frame) {
		function->frame = strtoull(frame + 2, NULL, 10) + RETURN_ADDRESS;
		function->unbounded = strstr(frame, "(dynamic)");
	}
	free(label);
	return function->name;
}

static int compare_titles(const void *a_, const void *b_)
{
	const struct wv_compiled_function *a = a_, *b = b_;

	return strcmp(a->title, b->title);
}

static const struct wv_compiled_function *find_title(const struct wv_call_graph *graph,
						     const char *title)
{
	const struct wv_compiled_function key = { .title = (char *)title };

	return graph->functions.n ? bsearch(&key, graph->functions.data, graph->functions.n,
					    sizeof(key), compare_titles)
				  : NULL;
}

static size_t index_of(const struct wv_call_graph *graph, const char *title)
{
	const struct wv_compiled_function *found = find_title(graph, title);

	return found ? (size_t)(found - graph->functions.data) : graph->functions.n;
}

static bool parse_call(struct wv_call_graph *graph, const char *line)
{
	char *from = quoted(line, "sourcename: \""), *to = quoted(line, "targetname: \"");
	char *label = quoted(line, "label: \"");
	struct wv_compiled_call call = { 0 }, *added;
	bool known = false;

	if (from && to) {
		call.from = index_of(graph, from);
		call.to = index_of(graph, to);
		known = call.from < graph->functions.n && call.to < graph->functions.n;
	}
	if (known && label)
		parse_place(label, strlen(label), &call.place);
	free(from);
	free(to);
	free(label);
	if (!known)
		return true;
	added = wv_vec_push(&graph->calls);
	if (added)
		*added = call;
	else
		free(call.place.file);
	return added;
}

static int compare_calls(const void *a_, const void *b_)
{
	const struct wv_compiled_call *a = a_, *b = b_;

	if (a->from != b->from)
		return wv_order(a->from, b->from);
	if (a->place.line != b->place.line)
		return wv_order(a->place.line, b->place.line);
	return wv_order(a->place.column, b->place.column);
}

/*
 * Calls @parse for each line of @text that begins with @kind. Returns false as soon as @parse fails
 * or memory runs out.
 */
static bool each_line(struct wv_call_graph *graph, const char *text, const char *kind,
		      bool (*parse)(struct wv_call_graph *graph, const char *line))
{
	for (const char *at = text; *at;) {
		size_t n = strcspn(at, "\n");

		if (!strncmp(at, kind, strlen(kind))) {
			char *line = strndup(at, n);
			bool ok = line && parse(graph, line);

			free(line);
			if (!ok)
				return false;
		}
		at += n + (at[n] == '\n');
	}
	return true;
}

bool wv_call_graph_parse(struct wv_call_graph *graph, const char *text)
{
	if (!each_line(graph, text, "graph: ", parse_source) ||
	    !each_line(graph, text, "node: ", parse_function))
		return false;
	if (graph->functions.n)
		qsort(graph->functions.data, graph->functions.n, sizeof(*graph->functions.data),
		      compare_titles);
	if (!each_line(graph, text, "edge: ", parse_call))
		return false;
	if (graph->calls.n)
		qsort(graph->calls.data, graph->calls.n, sizeof(*graph->calls.data), compare_calls);
	for (size_t i = graph->calls.n; i--;) {
		struct wv_compiled_function *from =
			&graph->functions.data[graph->calls.data[i].from];

		from->first_call = i;
		from->nr_calls++;
	}
	return true;
}

const struct wv_compiled_function *wv_call_graph_find(const struct wv_call_graph *graph,
						      const char *name)
{
	const struct wv_compiled_function *found;
	char *title;

	if (!graph->source || asprintf(&title, "%s:%s", graph->source, name) < 0)
		return NULL;
	found = find_title(graph, title);
	free(title);
	return found;
}

void wv_call_graph_deinit(struct wv_call_graph *graph)
{
	wv_vec_for_each(function, &graph->functions) {
		free(function->title);
		free(function->name);
		free(function->place.file);
	}
	wv_vec_for_each(call, &graph->calls)
		free(call->place.file);
	free(graph->source);
	wv_vec_deinit(&graph->functions);
	wv_vec_deinit(&graph->calls);
}
