// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds reaching loads; see reaching-load.h. Computes a state before each instruction. It has two
 * sets: the registers that hold the value of the last load, and the registers that still hold the
 * base address of the same load. The next load replaces the state. Where paths join, each set
 * becomes the intersection of the paths' sets. A state begins as "not reached", which counts as
 * every register. The sets only shrink, and the computation repeats until nothing changes any more.
 */
#include <stdlib.h>

#include "runtime/frame.h"
#include "splice/reaching-load.h"

/*
 * A bit in .bases of struct state: the load's address is constant, so no register has to hold it.
 */
#define FIXED WR_BIT(WR_FLAGS + 1)

/*
 * What is known before a node about a load that was executed. .values has WR_BIT()s of the
 * registers that hold the loaded value; if it is 0, nothing is known. .bases has those of the
 * registers that hold the load's base address. .displacement is the load's. .reached says that a
 * path to the node was found.
 */
struct state {
	uint32_t values, bases;
	int64_t displacement;
	bool reached;
};

struct sweep {
	const struct wv_graph *graph;
	struct state *states;	       /* the state before each node */
	const struct wv_load **loads; /* the candidate load at each node, or NULL */
	bool *branch_target; /* for each node: control may come to it from outside of the graph */
	bool changed;
};

static const struct state nothing = { .reached = true };

static uint32_t copied(uint32_t registers, const struct wv_node *node)
{
	return (registers & ~WR_BIT(node->to)) |
	       (registers & WR_BIT(node->from) ? WR_BIT(node->to) : 0);
}

/* Returns the state after node @i. */
static struct state state_after(const struct sweep *sweep, size_t i)
{
	const struct wv_node *node = &sweep->graph->nodes[i];
	const struct wv_load *load = sweep->loads[i];
	struct state state = sweep->states[i];

	if (load && !node->rewritten) {
		state.values = WR_BIT(load->to);
		state.bases =
			load->base == WV_NO_REGISTER ? FIXED : WR_BIT(load->base) & ~state.values;
		state.displacement = load->displacement;
	} else if (node->to != WV_NO_REGISTER) {
		state.values = copied(state.values, node);
		state.bases = copied(state.bases, node);
	} else {
		state.values &= ~node->changes;
		state.bases &= ~node->changes;
	}
	return state;
}

/* Intersects the state before node @i with that of one more path to it. */
static void meet(struct sweep *sweep, size_t i, struct state state)
{
	struct state *at = &sweep->states[i], before = *at;

	if (sweep->branch_target[i])
		state = nothing;
	if (!at->reached) {
		*at = state;
	} else if (at->displacement != state.displacement) {
		*at = nothing;
	} else {
		at->values &= state.values;
		at->bases &= state.bases;
	}
	sweep->changed |=
		!before.reached || at->values != before.values || at->bases != before.bases;
}

static void run(struct sweep *sweep)
{
	const struct wv_graph *graph = sweep->graph;

	meet(sweep, 0, nothing);
	for (size_t i = 0; i < graph->n; i++)
		if (sweep->branch_target[i])
			meet(sweep, i, nothing);
	do {
		sweep->changed = false;
		for (size_t i = 0; i < graph->n; i++) {
			const struct wv_node *node = &graph->nodes[i];
			size_t target = node->branches
						? wv_graph_at(graph, graph->start + node->target)
						: WV_NOWHERE;

			if (!sweep->states[i].reached)
				continue;
			if (node->falls_through && i + 1 < graph->n)
				meet(sweep, i + 1, state_after(sweep, i));
			if (target != WV_NOWHERE)
				meet(sweep, target, state_after(sweep, i));
		}
	} while (sweep->changed);
}

/*
 * Finds where the pointer that node @call calls was loaded, and sets *@ret as
 * wv_reaching_load_find() does. Returns false if it is not known.
 */
static bool conclude(const struct sweep *sweep, size_t call, struct wv_load *ret)
{
	const struct wv_node *node = &sweep->graph->nodes[call];
	const struct state *state = &sweep->states[call];

	if (node->through == WV_NO_REGISTER || node->rewritten || !state->reached ||
	    !(state->values & WR_BIT(node->through)) || !state->bases)
		return false;
	*ret = (struct wv_load){ .address = sweep->graph->start + node->at, .to = node->through,
				 .base = WV_NO_REGISTER, .displacement = state->displacement };
	for (uint8_t reg = 0; reg < WR_NR_REGISTERS && ret->base == WV_NO_REGISTER; reg++)
		if (state->bases & WR_BIT(reg))
			ret->base = reg;
	return true;
}

/*
 * Returns whether the graph has a node for each instruction that may run. It has not if a branch
 * leads to the middle of an instruction.
 */
static bool is_whole(const struct sweep *sweep)
{
	const struct wv_graph *graph = sweep->graph;

	for (size_t i = 0; i < graph->n; i++)
		if (graph->nodes[i].branches &&
		    wv_graph_at(graph, graph->start + graph->nodes[i].target) == WV_NOWHERE)
			return false;
	return graph->known && graph->n;
}

/*
 * Notes the candidate loads and the branch targets. Returns false if a branch target is inside an
 * instruction: the graph has no node for what runs there.
 */
static bool mark(struct sweep *sweep, const struct wv_reaching_load_input *input)
{
	const struct wv_graph *graph = input->graph;

	for (size_t i = 0; i < input->nr_loads; i++) {
		size_t at = wv_graph_at(graph, input->loads[i].address);

		if (at != WV_NOWHERE)
			sweep->loads[at] = &input->loads[i];
	}
	for (size_t i = 0; i < input->nr_branch_targets; i++) {
		size_t at = wv_graph_at(graph, input->branch_targets[i]);

		if (at != WV_NOWHERE)
			sweep->branch_target[at] = true;
		else if (input->branch_targets[i] - graph->start < graph->size)
			return false;
	}
	return true;
}

int wv_reaching_load_find(const struct wv_reaching_load_input *input, bool *found_ret,
			  struct wv_load *ret, struct wv_error *error)
{
	struct sweep sweep = { .graph = input->graph };
	size_t n = input->graph->n + 1, call = wv_graph_at(input->graph, input->call);
	int failed = 0;

	*found_ret = false;
	if (!is_whole(&sweep) || call == WV_NOWHERE)
		return 0;
	sweep.states = calloc(n, sizeof(*sweep.states));
	sweep.loads = calloc(n, sizeof(*sweep.loads));
	sweep.branch_target = calloc(n, sizeof(*sweep.branch_target));
	if (!sweep.states || !sweep.loads || !sweep.branch_target) {
		failed = wv_no_memory(error);
	} else if (mark(&sweep, input)) {
		run(&sweep);
		*found_ret = conclude(&sweep, call, ret);
	}
	free(sweep.states);
	free(sweep.loads);
	free(sweep.branch_target);
	return failed;
}
