// SPDX-License-Identifier: GPL-2.0-or-later
/* Gives calls their functions and source locations; see located-calls.h. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/order.h"
#include "index/located-calls.h"

static int compare_lines(const void *left, const void *right, void *context)
{
	const struct wv_line *lines = context;
	uint32_t i = *(const uint32_t *)left, k = *(const uint32_t *)right;

	/* They are sorted by file and line: of one address the first in that order comes first. */
	return wv_order(lines[i].address, lines[k].address) ?: wv_order(i, k);
}

static int compare_calls(const void *left, const void *right)
{
	const struct wv_call *a = left, *b = right;

	return wv_order(a->target, b->target) ?: wv_order(a->address, b->address);
}

/*
 * The function around @address; of several at one address the preferred one. A call was found by
 * decoding from there, so no size is looked at.
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
		  const struct wv_symbols *symbols, const struct wv_shadows *shadows,
		  struct wv_error *error)
{
	const struct wv_line *lines = shadows->lines.data;
	const size_t n = shadows->lines.n;
	_cleanup_free_ uint32_t *order = malloc((n + 1) * sizeof(*order));
	size_t next = 0; /* in @order: the first line after the call */

	memset(calls, 0, sizeof(*calls));
	if (!order)
		return wv_no_memory(error);
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), compare_lines, (void *)lines);
	wv_vec_for_each(branch, &branch_targets->calls) {
		struct wv_call call = { .target = branch->target, .address = branch->address,
					.symbol = symbol_of(symbols, branch->address) };
		struct wv_call *slot = wv_vec_push(&calls->list);
		size_t at;

		if (!slot) {
			wv_calls_deinit(calls);
			return wv_no_memory(error);
		}
		while (next < n && lines[order[next]].address <= branch->address)
			next++;
		/* Of the lines of the nearest address, the first that is this function's. */
		for (at = next; at && lines[order[at - 1]].address ==
				      lines[order[next - 1]].address; at--)
			if (lines[order[at - 1]].symbol == call.symbol)
				call.location = (struct wv_source_location){
					lines[order[at - 1]].file, lines[order[at - 1]].line,
					lines[order[at - 1]].column };
		*slot = call;
	}
	if (calls->list.n)
		qsort(calls->list.data, calls->list.n, sizeof(*calls->list.data), compare_calls);
	return 0;
}

void wv_calls_deinit(struct wv_calls *calls)
{
	wv_vec_deinit(&calls->list);
}
