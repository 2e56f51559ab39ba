// SPDX-License-Identifier: GPL-2.0-or-later
/* What serves elided joinpoints; see served.h. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "joinpoint/served.h"

#define FAR (1u << 24) /* lines between two files */

/* An instruction that may serve, under one function that it belongs to. */
struct server {
	uint32_t key[4]; /* struct, member, function: names; file */
	uint32_t joinpoint, symbol;
	uint64_t address;
};

typedef WV_VEC(struct server) servers;

static int compare_keys(const struct server *a, const struct server *b)
{
	return wv_order_numbers(a->key, b->key, sizeof(a->key) / sizeof(a->key[0]));
}

static int compare(const void *left, const void *right)
{
	const struct server *a = left, *b = right;

	return compare_keys(a, b) ?: wv_order(a->address, b->address) ?:
	       wv_order(a->joinpoint, b->joinpoint);
}

/* The key of @position's member in a function. */
static struct server make_server(const struct wv_merge *merge, uint32_t position, uint32_t function,
				 uint32_t file)
{
	const struct wv_field *field =
		&merge->fields.data[merge->joinpoints.data[position].field];

	return (struct server){ .key = { field->structure, field->member, function, file },
				.joinpoint = position };
}

static int add(servers *list, const struct server *server, const struct wv_shadow *shadow,
	       struct wv_error *error)
{
	struct server *slot = wv_vec_push(list);

	if (!slot)
		return wv_no_memory(error);
	*slot = *server;
	slot->address = shadow->address;
	slot->symbol = shadow->symbol;
	return 0;
}

/* The name of each symbol without compilers' suffixes, as the accesses' functions are numbered. */
static uint32_t *name_symbols(const struct wv_merge *merge, const struct wv_symbols *symbols)
{
	uint32_t *names = calloc(symbols->list.n + 1, sizeof(*names));

	for (size_t i = 0; names && i < symbols->list.n; i++) {
		char name[128];
		size_t n = strcspn(symbols->list.data[i].name, ".");

		names[i] = WV_POOL_FAILED;
		if (n >= sizeof(name))
			continue;
		memcpy(name, symbols->list.data[i].name, n);
		name[n] = '\0';
		names[i] = wv_pool_find(&merge->names, name);
	}
	return names;
}

static int collect(const struct wv_shadows *shadows, const struct wv_merge *merge,
		   const uint32_t *names, servers *list, struct wv_error *error)
{
	wv_vec_for_each(shadow, &shadows->list) {
		const struct wv_joinpoint *joinpoint = &merge->joinpoints.data[shadow->joinpoint];
		const struct wv_function *function = &merge->functions.data[joinpoint->function];
		struct server server;
		int ret;

		if (shadow->precision != WEFT_PRECISION_EXACT &&
		    shadow->precision != WEFT_PRECISION_OPERAND)
			continue;
		server = make_server(merge, shadow->joinpoint, function->name, joinpoint->file);
		ret = add(list, &server, shadow, error);
		if (!ret && shadow->symbol != WV_NO_SYMBOL &&
		    names[shadow->symbol] != WV_POOL_FAILED &&
		    shadows->entries.data[shadow->symbol].line &&
		    names[shadow->symbol] != function->name) {
			server = make_server(merge, shadow->joinpoint, names[shadow->symbol],
					     shadows->entries.data[shadow->symbol].file);
			ret = add(list, &server, shadow, error);
		}
		if (ret)
			return ret;
	}
	if (list->n)
		qsort(list->data, list->n, sizeof(*list->data), compare);
	return 0;
}

static uint32_t distance(const struct wv_merge *merge, uint32_t from, uint32_t to)
{
	const struct wv_joinpoint *a = &merge->joinpoints.data[from], *b = &merge->joinpoints.data[to];

	if (a->file != b->file)
		return FAR;
	/* Of two lines equally near the earlier one. */
	return b->line <= a->line ? 2 * (a->line - b->line) : 2 * (b->line - a->line) + 1;
}

/* The nearest of the servers of @position, or NULL. */
static const struct server *nearest(const servers *list, const struct wv_merge *merge,
				    uint32_t position)
{
	const struct wv_joinpoint *joinpoint = &merge->joinpoints.data[position];
	const struct server wanted =
		make_server(merge, position, merge->functions.data[joinpoint->function].name,
			    joinpoint->file);
	const struct server *best = NULL;
	size_t low = 0, high = list->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_keys(&list->data[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < list->n && !compare_keys(&list->data[low], &wanted); low++)
		if (!best || distance(merge, position, list->data[low].joinpoint) <
				     distance(merge, position, best->joinpoint))
			best = &list->data[low];
	return best;
}

static int find_all(struct wv_shadows *shadows, const struct wv_merge *merge, const servers *list,
		    struct wv_error *error)
{
	size_t at = 0;

	for (uint32_t i = 0; i < merge->joinpoints.n; i++) {
		const struct server *server;
		struct wv_served *served;
		bool elided = true;

		for (; at < shadows->list.n && shadows->list.data[at].joinpoint == i; at++)
			elided &= shadows->list.data[at].chosen != WV_CHOSEN_OWN;
		server = elided ? nearest(list, merge, i) : NULL;
		if (!server)
			continue;
		served = wv_vec_push(&shadows->served);
		if (!served)
			return wv_no_memory(error);
		*served = (struct wv_served){ .joinpoint = i, .by = server->joinpoint,
					      .address = server->address,
					      .symbol = server->symbol };
	}
	return 0;
}

int wv_served_find(struct wv_shadows *shadows, const struct wv_merge *merge,
		   const struct wv_symbols *symbols, struct wv_error *error)
{
	uint32_t *names = name_symbols(merge, symbols);
	servers list = { 0 };
	int ret = names ? collect(shadows, merge, names, &list, error) : wv_no_memory(error);

	if (!ret)
		ret = find_all(shadows, merge, &list, error);
	wv_vec_deinit(&list);
	free(names);
	return ret;
}
