// SPDX-License-Identifier: GPL-2.0-or-later
/* Inlined instances and their source locations; see inlined.h. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/order.h"
#include "index/inlined.h"

static int compare_addresses(const void *left, const void *right)
{
	return wv_order(*(const uint64_t *)left, *(const uint64_t *)right);
}

static bool equal_address(const void *array, uint32_t position, const void *key)
{
	return ((const uint64_t *)array)[position] == *(const uint64_t *)key;
}

/*
 * Collects the addresses of the inlined instances in @addresses, ascending and each once, and
 * builds a hash index of them.
 */
static int index_addresses(const struct wv_inlined_list *inlined, uint64_t *addresses,
			   struct wv_hash *index, struct wv_error *error)
{
	size_t n = inlined->list.n, kept = 0;

	for (size_t i = 0; i < n; i++)
		addresses[i] = inlined->list.data[i].address;
	qsort(addresses, n, sizeof(*addresses), compare_addresses);
	for (size_t i = 0; i < n; i++)
		if (!kept || addresses[kept - 1] != addresses[i])
			addresses[kept++] = addresses[i];
	for (size_t i = 0; i < kept; i++)
		if (wv_hash_add(index, wv_hash_bytes(&addresses[i], sizeof(*addresses)), i))
			return wv_no_memory(error);
	return 0;
}

/*
 * Gives each inlined instance the source location of the row at its address. If a line table has
 * several rows for one address, the last one belongs to the instruction; the others belong to
 * statements that have no code left.
 */
static int find_locations(struct wv_inlined_list *inlined, const wv_rows *rows,
			  const struct wv_merge *merge, struct wv_error *error)
{
	size_t n = inlined->list.n + 1;
	_cleanup_free_ uint64_t *addresses = calloc(n, sizeof(*addresses));
	_cleanup_free_ struct wv_source_location *locations = calloc(n, sizeof(*locations));
	struct wv_hash index = { 0 };
	int ret = addresses && locations ? index_addresses(inlined, addresses, &index, error)
					 : wv_no_memory(error);

	wv_vec_for_each(row, rows) {
		uint32_t found;

		if (ret || !index.n)
			break;
		found = wv_hash_find(&index, wv_hash_bytes(&row->address, sizeof(row->address)),
				     equal_address, addresses, &row->address);
		if (found != WV_HASH_NONE)
			locations[found] =
				(struct wv_source_location){ merge->file_of.data[row->file],
							     row->line, row->column };
	}
	wv_vec_for_each(instance, &inlined->list) {
		uint32_t found;

		if (ret)
			break;
		found = wv_hash_find(&index,
				     wv_hash_bytes(&instance->address, sizeof(instance->address)),
				     equal_address, addresses, &instance->address);
		instance->location = locations[found];
	}
	wv_hash_deinit(&index);
	return ret;
}

int wv_inlined_list_init(struct wv_inlined_list *inlined, const struct wv_debug *debug,
			 const wv_rows *rows, const struct wv_merge *merge,
			 const struct wv_symbols *symbols, struct wv_error *error)
{
	int ret;

	memset(inlined, 0, sizeof(*inlined));
	inlined->names = &debug->names;
	wv_vec_for_each(instance, &debug->inlined) {
		const struct wv_symbol *symbol = wv_symbols_at(symbols, instance->address);
		struct wv_inlined_shadow *slot;

		if (!symbol)
			continue;
		slot = wv_vec_push(&inlined->list);
		if (!slot) {
			wv_inlined_list_deinit(inlined);
			return wv_no_memory(error);
		}
		*slot = (struct wv_inlined_shadow){ .address = instance->address,
						    .function = instance->function,
						    .symbol = symbol - symbols->list.data };
	}
	ret = find_locations(inlined, rows, merge, error);
	if (ret)
		wv_inlined_list_deinit(inlined);
	return ret;
}

void wv_inlined_list_deinit(struct wv_inlined_list *inlined)
{
	wv_vec_deinit(&inlined->list);
}
