// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the symbols of the functions that have fates; see fates.h. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/order.h"
#include "index/fates.h"

#define SEVERAL UINT32_MAX

/*
 * Returns an array that is indexed by the number of a group of labels. An element is 1 + the
 * position of the symbol that contains the group's first label, or 0 if no symbol contains it.
 * Returns NULL if out of memory.
 */
static uint32_t *symbols_of_groups(const struct wv_merge *merge, const struct wv_symbols *symbols)
{
	uint32_t *ret = calloc((size_t)merge->next_group + 1, sizeof(*ret));

	if (!ret)
		return NULL;
	wv_vec_for_each(label, &merge->labels) {
		const struct wv_symbol *symbol;

		if (ret[label->group])
			continue;
		symbol = wv_symbols_at(symbols, label->address);
		if (symbol)
			ret[label->group] = symbol - symbols->list.data + 1;
	}
	return ret;
}

/*
 * Returns an array that is indexed by the number of a name in merge->names. An element is:
 * - 1 + the symbol's position, if one symbol has the name;
 * - SEVERAL, if several symbols have the name;
 * - 0, if no symbol has the name.
 * Returns NULL if out of memory.
 */
static uint32_t *symbols_of_names(const struct wv_merge *merge, const struct wv_symbols *symbols)
{
	uint32_t *ret = calloc(merge->names.strings.n + 1, sizeof(*ret));

	for (size_t i = 0; ret && i < symbols->list.n; i++) {
		const struct wv_symbol *symbol = &symbols->list.data[i];
		uint32_t name = symbol->label ? WV_POOL_FAILED :
						wv_pool_find(&merge->names, symbol->name);

		if (name != WV_POOL_FAILED)
			ret[name] = ret[name] ? SEVERAL : i + 1;
	}
	return ret;
}

static int compare(const void *left, const void *right)
{
	const struct wv_placed_fate *a = left, *b = right;

	return wv_order(a->joinpoint, b->joinpoint) ?: wv_order(a->symbol, b->symbol) ?:
	       wv_order(a->fate, b->fate) ?: wv_order(a->address, b->address) ?:
	       wv_order(a->by, b->by);
}

static void drop_repeated(struct wv_shadows *shadows)
{
	size_t kept = 0;

	if (shadows->fates.n)
		qsort(shadows->fates.data, shadows->fates.n, sizeof(*shadows->fates.data), compare);
	for (size_t i = 0; i < shadows->fates.n; i++) {
		const struct wv_placed_fate *fate = &shadows->fates.data[i];

		if (!kept || compare(&shadows->fates.data[kept - 1], fate))
			shadows->fates.data[kept++] = *fate;
	}
	shadows->fates.n = kept;
}

/*
 * Counts the joinpoints without a shadow by fate. A joinpoint that was inlined at several places
 * may have several fates. It is counted as DEAD (nothing needs the value) only if it has no other
 * fate.
 */
static void count(struct wv_shadows *shadows, const struct wv_merge *merge)
{
	size_t shadow = 0, fate = 0;

	for (uint32_t i = 0; i < merge->joinpoints.n; i++) {
		uint32_t function = merge->joinpoints.data[i].function;
		unsigned int best = WEFT_FATE_COUNT;
		bool own = false;

		for (; shadow < shadows->list.n && shadows->list.data[shadow].joinpoint == i;
		     shadow++)
			own |= shadows->list.data[shadow].chosen == WV_CHOSEN_OWN;
		for (; fate < shadows->fates.n && shadows->fates.data[fate].joinpoint == i; fate++)
			if (best == WEFT_FATE_COUNT || best == WEFT_FATE_DEAD ||
			    (shadows->fates.data[fate].fate < best &&
			     shadows->fates.data[fate].fate != WEFT_FATE_DEAD))
				best = shadows->fates.data[fate].fate;
		if (!own && *wv_pool_get(&merge->names, merge->functions.data[function].name))
			shadows->nr_fates[best]++;
	}
}

int wv_fates_place(struct wv_shadows *shadows, const struct wv_merge *merge,
		   const struct wv_symbols *symbols, struct wv_error *error)
{
	_cleanup_free_ uint32_t *of_group = symbols_of_groups(merge, symbols);
	_cleanup_free_ uint32_t *of_name = symbols_of_names(merge, symbols);

	if (!of_group || !of_name)
		return wv_no_memory(error);
	wv_vec_for_each(fate, &merge->fates) {
		struct wv_placed_fate *placed = wv_vec_push(&shadows->fates);
		uint32_t symbol = of_group[fate->group] ?: of_name[fate->function];

		if (!placed)
			return wv_no_memory(error);
		*placed = (struct wv_placed_fate){
			.joinpoint = fate->joinpoint,
			.symbol = symbol && symbol != SEVERAL ? symbol - 1 : WV_NO_SYMBOL,
			.fate = fate->fate,
			.by = fate->servant,
			.address = fate->address,
		};
	}
	drop_repeated(shadows);
	count(shadows, merge);
	return 0;
}
