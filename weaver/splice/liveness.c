// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Computes liveness; see liveness.h. For each instruction, live-in = registers read + (live-out -
 * registers written as a whole). The computation goes from the function's end to its start, and
 * repeats this until nothing changes any more.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"
#include "runtime/frame.h"
#include "splice/liveness.h"

#define ALL (WR_BIT(WR_FLAGS + 1) - 1)

struct wv_liveness {
	struct wv_graph graph;
	/*
	 * The live-in of each node, which is uses | (out & ~kills), where out is the union of its
	 * successors' live-ins.
	 */
	uint32_t *in;
};

static uint32_t live_at(const struct wv_liveness *liveness, size_t offset)
{
	uint32_t index = offset < liveness->graph.size ? liveness->graph.index[offset] : 0;

	return index ? liveness->in[index - 1] : ALL;
}

static void sweep(struct wv_liveness *liveness)
{
	const struct wv_graph *graph = &liveness->graph;
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = graph->n; i--;) {
			const struct wv_node *node = &graph->nodes[i];
			uint32_t out = 0, in;

			if (node->falls_through)
				out |= i + 1 < graph->n ? liveness->in[i + 1] : ALL;
			if (node->branches)
				out |= live_at(liveness, node->target);
			in = node->uses | (out & ~node->kills);
			changed |= in != liveness->in[i];
			liveness->in[i] = in;
		}
	}
}

int wv_liveness_create(const struct wv_function_info *function, struct wv_decoder *decoder,
		       struct wv_liveness **ret, struct wv_error *error)
{
	struct wv_liveness *liveness = calloc(1, sizeof(*liveness));
	int failed = liveness ? wv_graph_init(&liveness->graph, function, decoder, error)
			      : wv_no_memory(error);

	*ret = NULL;
	if (!failed) {
		liveness->in = calloc(liveness->graph.n + 1, sizeof(*liveness->in));
		failed = liveness->in ? 0 : wv_no_memory(error);
	}
	if (failed) {
		wv_liveness_destroy(liveness);
		return failed;
	}
	if (liveness->graph.known)
		sweep(liveness);
	*ret = liveness;
	return 0;
}

void wv_liveness_destroy(struct wv_liveness *liveness)
{
	if (!liveness)
		return;
	wv_graph_deinit(&liveness->graph);
	free(liveness->in);
	free(liveness);
}

const struct wv_graph *wv_liveness_graph(const struct wv_liveness *liveness)
{
	return &liveness->graph;
}

uint32_t wv_liveness_at(const struct wv_liveness *liveness, uint64_t address)
{
	size_t node = wv_graph_at(&liveness->graph, address);

	return liveness->graph.known && node != WV_NOWHERE ? liveness->in[node] : WEFT_LIVE_UNKNOWN;
}

uint32_t wv_liveness_out(const struct wv_liveness *liveness, uint64_t address)
{
	const struct wv_graph *graph = &liveness->graph;
	size_t i = wv_graph_at(graph, address);
	const struct wv_node *node;

	if (!graph->known || i == WV_NOWHERE || i + 1 >= graph->n)
		return WEFT_LIVE_UNKNOWN;
	node = &graph->nodes[i];
	return node->falls_through && !node->branches && !node->rewritten ? liveness->in[i + 1]
									  : WEFT_LIVE_UNKNOWN;
}
