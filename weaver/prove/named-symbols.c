// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects the symbols of an image and sorts them twice; see named-symbols.h. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "prove/named-symbols.h"

static int collect(const struct wv_elf_symbol *symbol, void *context, struct wv_error *error)
{
	struct wv_named_symbols *named = context;
	struct wv_named *slot;

	if (symbol->type == STT_SECTION || symbol->type == STT_FILE || !*symbol->name)
		return 0;
	slot = wv_vec_push(&named->list);
	if (!slot)
		return wv_no_memory(error);
	*slot = (struct wv_named){ .name = symbol->name, .address = symbol->address,
				   .size = symbol->size,
				   .number = wv_pool_add(&named->names, symbol->name),
				   .global = symbol->binding != STB_LOCAL };
	return slot->number == WV_POOL_FAILED ? wv_no_memory(error) : 0;
}

static int by_name(const void *left, const void *right)
{
	const struct wv_named *a = left, *b = right;

	return wv_order(a->number, b->number) ?: wv_order(b->global, a->global) ?:
	       wv_order(a->address, b->address);
}

static int by_address(const void *left, const void *right, void *context)
{
	const struct wv_named *list = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return wv_order(list[a].address, list[b].address) ?: wv_order(a, b);
}

int wv_named_symbols_init(struct wv_named_symbols *named, struct wv_image *image,
			  struct wv_error *error)
{
	int ret;

	memset(named, 0, sizeof(*named));
	ret = wv_image_each_symbol(image, collect, named, error);
	if (!ret && named->list.n)
		qsort(named->list.data, named->list.n, sizeof(*named->list.data), by_name);
	for (size_t i = 0; i < named->list.n && !ret; i++) {
		uint32_t *position = wv_vec_push(&named->by_address), *first = position;

		if (!i || named->list.data[i].number != named->list.data[i - 1].number)
			first = wv_vec_push(&named->first);
		if (!position || !first)
			ret = wv_no_memory(error);
		else
			*first = *position = i;
	}
	if (ret)
		wv_named_symbols_deinit(named);
	else if (named->list.n)
		qsort_r(named->by_address.data, named->by_address.n,
			sizeof(*named->by_address.data), by_address, named->list.data);
	return ret;
}

void wv_named_symbols_deinit(struct wv_named_symbols *named)
{
	wv_vec_deinit(&named->by_address);
	wv_vec_deinit(&named->first);
	wv_vec_deinit(&named->list);
	wv_pool_deinit(&named->names);
}

const struct wv_named *wv_named_find(const struct wv_named_symbols *named, const char *name,
				     size_t *n_ret)
{
	uint32_t number = wv_pool_find(&named->names, name);
	size_t end;

	*n_ret = 0;
	if (number == WV_POOL_FAILED)
		return NULL;
	end = number + 1 < named->first.n ? named->first.data[number + 1] : named->list.n;
	*n_ret = end - named->first.data[number];
	return &named->list.data[named->first.data[number]];
}

const struct wv_named *wv_named_at(const struct wv_named_symbols *named, uint64_t address)
{
	size_t after = wv_vec_partition(&named->by_address, number,
					named->list.data[*number].address <= address);

	return after ? &named->list.data[named->by_address.data[after - 1]] : NULL;
}
