/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The direct calls and tail calls of an image, each with its source location. */
#ifndef WV_LOCATED_CALLS_H
#define WV_LOCATED_CALLS_H

#include "image/branch-targets.h"
#include "index/source-places.h"

struct wv_call {
	/* link addresses of the called code and of the calling instruction */
	uint64_t target, address;
	uint32_t symbol;	  /* position in wv_symbols.list of the calling function */
	struct wv_source_location location;
	/* the inlined function that the call is in, as in struct wv_source_position */
	uint32_t function;
};

struct wv_calls {
	WV_VEC(struct wv_call) list; /* sorted by target and address */
};

int wv_calls_init(struct wv_calls *calls, const struct wv_branch_targets *branch_targets,
		  const struct wv_symbols *symbols, const struct wv_source_places *places,
		  struct wv_error *error);
void wv_calls_deinit(struct wv_calls *calls);

#endif /* WV_LOCATED_CALLS_H */
