/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control flow graph of one function, by instruction: the common base of the flow analyses
 * (liveness.h, reaching-load.h). Branches from other functions into this one are not in the graph;
 * a forward analysis has to supply them.
 */
#ifndef WV_GRAPH_H
#define WV_GRAPH_H

#include "x86/decode.h"
#include "base/error.h"
#include "splice/function-info.h"

#define WV_NOWHERE SIZE_MAX

struct wv_node {
	/*
	 * WR_BIT()s (runtime/frame.h). uses: a superset of the registers read; kills: a subset of
	 * those written as a whole; changes: a superset of those changed.
	 */
	uint32_t uses, kills, changes;
	uint32_t at;	 /* bytes from the function's start */
	uint32_t target; /* the branch target, if .branches; bytes from the function's start */
	uint8_t from, to; /* as in struct wv_insn */
	uint8_t through;  /* as in struct wv_insn, but also through a thunk */
	bool falls_through;	  /* control may continue at the next node */
	bool branches;
	bool rewritten; /* the kernel may replace it with other instructions */
};

struct wv_graph {
	uint64_t start;
	size_t size;
	/* number of the node at each byte, counted from 1; 0: no instruction begins there */
	uint32_t *index;
	struct wv_node *nodes;
	size_t n;
	bool known; /* the nodes have all successors */
};

/*
 * Builds the graph. @function's bytes are only needed during the call. On failure there is nothing
 * to free.
 */
int wv_graph_init(struct wv_graph *graph, const struct wv_function_info *function,
		  struct wv_decoder *decoder, struct wv_error *error);
void wv_graph_deinit(struct wv_graph *graph);

/* The number of the node at @address, or WV_NOWHERE. */
size_t wv_graph_at(const struct wv_graph *graph, uint64_t address);

#endif /* WV_GRAPH_H */
