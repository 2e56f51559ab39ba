/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control flow graph of one function, in which each instruction is a node. The flow analyses
 * (liveness.h, reaching-load.h) use it. The graph has no branches from other functions into this
 * one. A forward analysis has to get these from its caller.
 */
#ifndef WV_GRAPH_H
#define WV_GRAPH_H

#include "x86/decode.h"
#include "base/error.h"
#include "splice/function-info.h"

#define WV_NOWHERE SIZE_MAX

struct wv_node {
	/*
	 * Sets of registers, as WR_BIT()s (runtime/frame.h). .uses: a superset of the registers
	 * that the instruction reads. .kills: a subset of the registers that it writes as a whole.
	 * .changes: a superset of the registers that it changes.
	 */
	uint32_t uses, kills, changes;
	uint32_t at;	 /* bytes from the function's start */
	/* target of the branch if .branches is set, in bytes from the function's start */
	uint32_t target;
	uint8_t from, to; /* as .from and .to of struct wv_insn (x86/instruction.h) */
	/*
	 * as .through of struct wv_insn; for a call of, or a jump to, a thunk: the register to
	 * whose address the thunk jumps
	 */
	uint8_t through;
	bool falls_through;	  /* control may continue at the next node */
	bool branches;
	bool rewritten; /* the kernel may replace the instruction with others */
};

struct wv_graph {
	uint64_t start;
	size_t size;
	/*
	 * number of the node at each byte of the function, counted from 1; 0: no instruction begins
	 * there
	 */
	uint32_t *index;
	struct wv_node *nodes;
	size_t n;
	bool known; /* all successors of all nodes are known */
};

/*
 * Builds the graph. @function's bytes are needed only during the call. If some of them cannot be
 * decoded, this is no failure: the graph ends there, and .known is false. After a failure there is
 * nothing to free.
 */
int wv_graph_init(struct wv_graph *graph, const struct wv_function_info *function,
		  struct wv_decoder *decoder, struct wv_error *error);
void wv_graph_deinit(struct wv_graph *graph);

/* The number of the node at @address, or WV_NOWHERE. */
size_t wv_graph_at(const struct wv_graph *graph, uint64_t address);

#endif /* WV_GRAPH_H */
