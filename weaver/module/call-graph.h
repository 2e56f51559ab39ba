/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of a compiled module, their frames and their calls, as GCC writes them with
 * -fcallgraph-info=su. GCC writes the graph after inlining, so an inlined function is part of its
 * caller.
 */
#ifndef WV_CALL_GRAPH_H
#define WV_CALL_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct wv_call_location {
	char *file;
	unsigned int line, column;
};

struct wv_compiled_function {
	char *title; /* unique; the title of a static function contains the file's name */
	char *name;  /* without the suffix that the compiler gives a clone */
	struct wv_call_location place;
	uint64_t frame;	 /* bytes of the function's stack frame, with the return address */
	bool external;	 /* true: not defined in the module */
	bool unbounded;	 /* true: the size of the frame is not known at compile time (alloca) */
	size_t first_call, nr_calls; /* range of indexes in .calls */
};

struct wv_compiled_call {
	size_t from, to; /* caller and callee: indexes in .functions */
	struct wv_call_location place;
};

/* A call graph. All zero: it is empty. */
struct wv_call_graph {
	/* the source's name as GCC wrote it: a static function's .title begins with it */
	char *source;
	WV_VEC(struct wv_compiled_function) functions; /* sorted by title */
	WV_VEC(struct wv_compiled_call) calls;	       /* sorted by caller */
};

/* Parses the compiler's @text. False: out of memory. Lines of unknown format are skipped. */
bool wv_call_graph_parse(struct wv_call_graph *graph, const char *text);
void wv_call_graph_deinit(struct wv_call_graph *graph);

/* Returns the static function @name, or NULL. */
const struct wv_compiled_function *wv_call_graph_find(const struct wv_call_graph *graph,
						      const char *name);

#endif /* WV_CALL_GRAPH_H */
