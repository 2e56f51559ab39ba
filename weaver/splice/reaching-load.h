/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the load from which a called function pointer comes. This is forward data flow over one
 * function, from the candidate loads to the call. The wanted result is the address of the pointer,
 * and so of the struct that contains it. A register gives this address if it held the load's base
 * address when the load ran, and still holds it at the call on all paths.
 *
 * If anything is uncertain, no load is found. Where control enters from elsewhere, and at
 * instructions that are not understood, everything that was known is dropped. The result is the
 * address from which the machine code loaded the pointer. It may be in another struct than the
 * source says: if the compiler knows the pointers of two structs to be equal (`*b = *a; b->f(b)`),
 * it may load from either.
 */
#ifndef WV_REACHING_LOAD_H
#define WV_REACHING_LOAD_H

#include "splice/graph.h"

/*
 * A load: `mov displacement(base),to` of eight bytes. If .base is WV_NO_REGISTER, .displacement is
 * the address that is loaded from.
 */
struct wv_load {
	uint64_t address; /* address of the instruction */
	uint8_t to, base;
	int64_t displacement;
};

struct wv_reaching_load_input {
	const struct wv_graph *graph;
	/*
	 * Addresses, other than the function's start, to which code outside of the function
	 * branches. Addresses in other functions are ignored.
	 */
	const uint64_t *branch_targets;
	size_t nr_branch_targets;
	const struct wv_load *loads;
	size_t nr_loads;
	uint64_t call; /* address of the call, or tail jump, through a register */
};

/*
 * Finds the load of the called pointer whose base register still has the same value at the call.
 * Sets *@found_ret to false if there is no such load. Otherwise sets *@ret to the load as it would
 * be at the call: .address is that of the call, .to the register that is called, and .base a
 * register that has the load's base address there.
 */
int wv_reaching_load_find(const struct wv_reaching_load_input *input, bool *found_ret,
			  struct wv_load *ret, struct wv_error *error);

#endif /* WV_REACHING_LOAD_H */
