/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a pointer that is called was loaded from: forward data flow over one function, from the
 * loads that feed the call to the call. A register that held the load's address when it ran, and
 * holds it still at the call on every way that leads there, tells where the pointer lies, and so
 * which struct it is a member of.
 *
 * Errs towards not knowing: whatever comes in from elsewhere brings nothing along, and what is not
 * understood leaves nothing. What it tells is where the code has the pointer from: of two structs
 * whose pointers the compiler knows to be equal (`*b = *a; b->f(b)`), that may be the other one.
 */
#ifndef WV_REACHING_LOAD_H
#define WV_REACHING_LOAD_H

#include "splice/graph.h"

/*
 * `mov displacement(base),to` of eight bytes; without a base register the displacement is the
 * address.
 */
struct wv_load {
	uint64_t address; /* of the instruction */
	uint8_t to, base;
	int64_t displacement;
};

struct wv_reaching_load_input {
	const struct wv_graph *graph;
	/*
	 * Where control may come in from elsewhere, other than at the function's start; those in
	 * other functions do no harm.
	 */
	const uint64_t *branch_targets;
	size_t nr_branch_targets;
	const struct wv_load *loads;
	size_t nr_loads;
	uint64_t call; /* or a jump in its place, through a register */
};

/*
 * *@ret is the load that made what is called, with a base that holds what it held then; *@found_ret
 * is false where that cannot be told.
 */
int wv_reaching_load_find(const struct wv_reaching_load_input *input, bool *found_ret,
			  struct wv_load *ret, struct wv_error *error);

#endif /* WV_REACHING_LOAD_H */
