// SPDX-License-Identifier: GPL-2.0-or-later
/* Gives calls their functions and source locations; see located-calls.h. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "index/located-calls.h"

static int compare_calls(const void *left, const void *right)
{
	const struct wv_call *a = left, *b = right;

	return wv_order(a->target, b->target) ?: wv_order(a->address, b->address);
}

/*
 * Returns the function around the call at @address. If the function has several names, returns the
 * preferred one. Sizes of functions are not checked: the call was found by decoding from the start
 * of the last symbol before it, so it belongs to this symbol.
 */
static uint32_t symbol_of(const struct wv_symbols *symbols, uint64_t address)
{
	size_t n = wv_symbols_from(symbols, address + 1);

	while (n && (symbols->list.data[n - 1].alias ||
		     (n > 1 && symbols->list.data[n - 1].label &&
		      symbols->list.data[n - 2].address == symbols->list.data[n - 1].address)))
		n--;
	return n ? n - 1 : WV_NO_SYMBOL;
}

int wv_calls_init(struct wv_calls *calls, const struct wv_branch_targets *branch_targets,
		  const struct wv_symbols *symbols, const struct wv_source_places *places,
		  struct wv_error *error)
{
	memset(calls, 0, sizeof(*calls));
	wv_vec_for_each(branch, &branch_targets->calls) {
		const struct wv_source_position *place =
			wv_source_places_at(places, branch->address);
		struct wv_call *slot = wv_vec_push(&calls->list);

		if (!slot) {
			wv_calls_deinit(calls);
			return wv_no_memory(error);
		}
		*slot = (struct wv_call){ .target = branch->target, .address = branch->address,
					  .symbol = symbol_of(symbols, branch->address),
					  .function = WV_NOT_INLINED };
		if (!place)
			continue;
		slot->location = place->location;
		slot->function = place->function;
	}
	if (calls->list.n)
		qsort(calls->list.data, calls->list.n, sizeof(*calls->list.data), compare_calls);
	return 0;
}

void wv_calls_deinit(struct wv_calls *calls)
{
	wv_vec_deinit(&calls->list);
}
