/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The instructions of one function and where each goes on: what the flow analyses of a function
 * have in common (liveness.h, reaching-load.h). Ways that lead in from elsewhere are for those to
 * know who ask forwards.
 *
 * Holds for whatever the kernel makes of the function later: jump labels are followed both ways,
 * and text that is rewritten at boot or may be at any time reads and changes everything.
 */
#ifndef WV_GRAPH_H
#define WV_GRAPH_H

#include "x86/decode.h"
#include "base/error.h"
#include "splice/function-info.h"

#define WV_NOWHERE SIZE_MAX

struct wv_node {
	/*
	 * WR_BIT()s (runtime/frame.h): at most what it reads, at least what it writes whole, at
	 * least what it may change.
	 */
	uint32_t uses, kills, changes;
	uint32_t at;	 /* bytes from the function's start */
	uint32_t target; /* likewise, where .branches */
	uint8_t from, to; /* as in struct wv_insn */
	uint8_t through;  /* likewise, also by a thunk */
	bool falls_through;	  /* goes on at the next one */
	bool branches;
	bool rewritten; /* the kernel may put others in its place */
};

struct wv_graph {
	uint64_t start;
	size_t size;
	uint32_t *index; /* of the node at each byte, counted from 1; 0: none begins there */
	struct wv_node *nodes;
	size_t n;
	bool known; /* nothing goes on where the nodes do not say */
};

/* @function's bytes are only needed during the call. On failure there is nothing to take down. */
int wv_graph_init(struct wv_graph *graph, const struct wv_function_info *function,
		  struct wv_decoder *decoder, struct wv_error *error);
void wv_graph_deinit(struct wv_graph *graph);

/* The number of the node at @address, or WV_NOWHERE. */
size_t wv_graph_at(const struct wv_graph *graph, uint64_t address);

#endif /* WV_GRAPH_H */
