// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the tree of calls of a drill from its metrics; see drill-tree.h. */
#include <stdlib.h>
#include <string.h>

#include "aspect/oneliner/drill-aspect.h"
#include "base/order.h"
#include "report/drill-tree.h"
#include "report/figures.h"

/*
 * The metrics come in pairs: one of time that passes, and one of time on a CPU. Pair 0 measures the
 * drilled function as a whole. Pair i + 1 measures the calls in the function facts->into[i].
 */
enum { METRICS_OF_PAIR = 2 };

struct builder {
	const struct wv_readings *readings;
	const struct wv_drill_facts *facts;
	struct wv_drill *ret;
};

static const struct wv_metric_reading *reading_at(const struct builder *builder, size_t pair,
						  bool cpu)
{
	const size_t index = pair * METRICS_OF_PAIR + cpu;

	return index < builder->readings->list.n ? &builder->readings->list.data[index] : NULL;
}

static void take_figures(const struct wv_metric_reading *reading, const struct wv_metric_row *row,
			 struct wv_drill_node *node)
{
	struct wv_figures figures;

	wv_figures_get(reading, row, &figures);
	node->count = figures.count;
	node->wall = figures.sum;
	node->min = (int64_t)figures.min;
	node->max = (int64_t)figures.max;
}

/*
 * Returns how many nanoseconds the call @id was on a CPU. The metric of the drilled function as a
 * whole has no keys, and so only one row: for this metric returns the time of the row.
 */
static int64_t cpu_of(const struct builder *builder, size_t pair, uint64_t id)
{
	const struct wv_metric_reading *reading = reading_at(builder, pair, true);
	struct wv_figures figures = { 0 };

	wv_vec_for_each(row, &reading->rows) {
		if (reading->info.nr_keys &&
		    strtoull(wv_row_text(row, WV_DRILL_CPU_ID), NULL, 10) != id)
			continue;
		wv_figures_get(reading, row, &figures);
		break;
	}
	return figures.sum;
}

/*
 * Returns the call instruction that the text "symbol+0x12" of a key names; NULL if @into has no
 * such instruction.
 */
static const struct wv_drill_site *find_site(const struct wv_drill_into *into, const char *text)
{
	const char *plus = strrchr(text, '+');
	const size_t n = plus ? (size_t)(plus - text) : 0;

	wv_vec_for_each(site, &into->sites)
		if (plus && site->offset == strtoul(plus + 1, NULL, 16) &&
		    strlen(site->symbol) == n && !strncmp(site->symbol, text, n))
			return site;
	return NULL;
}

static int add_top(const struct builder *builder, struct wv_error *error)
{
	const struct wv_metric_reading *reading = reading_at(builder, 0, false);
	struct wv_drill_node *node = wv_vec_push(&builder->ret->nodes);

	if (!node)
		return wv_no_memory(error);
	*node = (struct wv_drill_node){ .id = WV_DRILL_ROOT_ID,
					.function = strdup(builder->facts->into[0].name) };
	if (reading->rows.n)
		take_figures(reading, reading->rows.data, node);
	node->cpu = cpu_of(builder, 0, 0);
	return node->function ? 0 : wv_no_memory(error);
}

static int add_calls(const struct builder *builder, size_t function, struct wv_error *error)
{
	const struct wv_metric_reading *reading = reading_at(builder, function + 1, false);

	wv_vec_for_each(row, &reading->rows) {
		struct wv_drill_node *node = wv_vec_push(&builder->ret->nodes);

		if (!node)
			return wv_no_memory(error);
		*node = (struct wv_drill_node){
			.id = strtoull(wv_row_text(row, WV_DRILL_ID), NULL, 10),
			.from = strtoull(wv_row_text(row, WV_DRILL_FROM), NULL, 10),
			.site = find_site(&builder->facts->into[function],
					  wv_row_text(row, WV_DRILL_SITE)),
			.function = strdup(wv_row_text(row, WV_DRILL_TO)),
		};
		if (!node->function)
			return wv_no_memory(error);
		take_figures(reading, row, node);
		node->cpu = cpu_of(builder, function + 1, node->id);
	}
	return 0;
}

static void count_lost(const struct builder *builder)
{
	struct wv_drill *drill = builder->ret;
	struct wv_figures figures;

	for (size_t pair = 0; pair <= builder->facts->n; pair++) {
		const struct wv_metric_reading *reading = reading_at(builder, pair, false);

		drill->under_way += reading->info.open;
		drill->lost += reading->info.dropped + reading->info.deep;
		if (!reading->others.values)
			continue;
		wv_figures_get(reading, &reading->others, &figures);
		drill->lost += figures.count;
	}
}

/* ---- ordering the nodes as a tree ------------------------------------------------------------ */

static int by_time(const void *a, const void *b)
{
	const struct wv_drill_node *left = a, *right = b;

	return wv_order((uint64_t)right->wall, (uint64_t)left->wall) ?:
	       wv_order_texts(left->function, right->function) ?: wv_order(left->id, right->id);
}

/*
 * Moves the calls of node @parent of @to, and all calls below them, from @from to @to, so that each
 * comes after its caller.
 */
static int move_calls(struct wv_drill *from, struct wv_drill *to, size_t parent,
		      struct wv_error *error)
{
	int failed = 0;

	wv_vec_for_each(node, &from->nodes) {
		struct wv_drill_node *moved;

		if (failed || !node->function || node->from != to->nodes.data[parent].id)
			continue;
		moved = wv_vec_push(&to->nodes);
		if (!moved)
			return wv_no_memory(error);
		*moved = *node;
		node->function = NULL;
		moved->parent = parent;
		moved->level = to->nodes.data[parent].level + 1;
		failed = move_calls(from, to, to->nodes.n - 1, error);
	}
	return failed;
}

static int arrange(struct wv_drill *drill, struct wv_error *error)
{
	struct wv_drill found = *drill;
	struct wv_drill_node *whole;
	int failed;

	memset(&drill->nodes, 0, sizeof(drill->nodes));
	whole = wv_vec_push(&drill->nodes);
	if (!whole) {
		drill->nodes = found.nodes;
		return wv_no_memory(error);
	}
	*whole = found.nodes.data[0];
	found.nodes.data[0].function = NULL;
	qsort(found.nodes.data + 1, found.nodes.n - 1, sizeof(*found.nodes.data), by_time);
	failed = move_calls(&found, drill, 0, error);
	wv_vec_for_each(node, &found.nodes) {
		drill->apart += node->function ? node->count : 0;
		free(node->function);
	}
	wv_vec_deinit(&found.nodes);
	return failed;
}

/* Sets .gone_into, .self_wall and .self_cpu of each node. */
static void find_own(const struct builder *builder)
{
	struct wv_drill *drill = builder->ret;

	wv_vec_for_each(node, &drill->nodes) {
		for (size_t i = 0; i < builder->facts->n; i++)
			node->gone_into |= node->level < builder->facts->depth &&
					   !strcmp(node->function, builder->facts->into[i].name);
		node->self_wall = node->wall;
		node->self_cpu = node->cpu;
	}
	for (size_t i = 1; i < drill->nodes.n; i++) {
		struct wv_drill_node *node = &drill->nodes.data[i];
		struct wv_drill_node *parent = &drill->nodes.data[node->parent];

		parent->gone_into = true;
		parent->self_wall -= node->wall;
		parent->self_cpu -= node->cpu;
	}
}

int wv_drill_read(const struct wv_readings *readings, const struct wv_drill_facts *facts,
		  struct wv_drill *ret, struct wv_error *error)
{
	const struct builder builder = { readings, facts, ret };
	int failed = 0;

	*ret = (struct wv_drill){ 0 };
	if (readings->list.n != (facts->n + 1) * METRICS_OF_PAIR)
		return wv_fail(error, WV_E_FORMAT, "these are not the metrics of a drill");
	failed = add_top(&builder, error);
	for (size_t i = 0; !failed && i < facts->n; i++)
		failed = add_calls(&builder, i, error);
	if (!failed)
		failed = arrange(ret, error);
	if (failed) {
		wv_drill_deinit(ret);
		return failed;
	}
	wv_unseen_text(&reading_at(&builder, 0, false)->info, ret->unseen);
	find_own(&builder);
	count_lost(&builder);
	return 0;
}

void wv_drill_deinit(struct wv_drill *drill)
{
	wv_vec_for_each(node, &drill->nodes)
		free(node->function);
	wv_vec_deinit(&drill->nodes);
}
