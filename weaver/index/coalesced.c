// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds instructions that serve joinpoints which have no instruction of their own; see coalesced.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "index/coalesced.h"

/* distance() of accesses in two different files: more than any distance in one */
#define FAR (1u << 24)

/*
 * A candidate: an instruction that may serve other joinpoints, filed under one function. An
 * instruction of inlined code is filed under the source's function and under the symbol's.
 */
struct server {
	/*
	 * what must agree: numbers of the names of struct, member and function; number of the file
	 */
	uint32_t key[4];
	uint32_t joinpoint, symbol;
	uint64_t address;
	bool exact;
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

/* Makes the search key: the member of the joinpoint at @position, in a function of a file. */
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
	slot->exact = shadow->precision == WEFT_PRECISION_EXACT;
	return 0;
}

/*
 * For each symbol: the number in merge->names of its name without compiler suffixes (.isra.0).
 * WV_POOL_FAILED: no access is in a function of that name.
 */
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
		const struct wv_source_function *function =
			&merge->functions.data[joinpoint->function];
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
	const struct wv_joinpoint *a = &merge->joinpoints.data[from],
				  *b = &merge->joinpoints.data[to];

	if (a->file != b->file)
		return FAR;
	/*
	 * Twice the number of lines, plus 1 if the line is later: of two lines equally far away the
	 * earlier one wins.
	 */
	return b->line <= a->line ? 2 * (a->line - b->line) : 2 * (b->line - a->line) + 1;
}

/* Context of all searches. */
struct search {
	const struct wv_merge *merge;
	const struct wv_shadows *shadows;
	const struct wv_inlined_list *inlined;
	const uint32_t *symbol_names;
	/*
	 * by number of a function's name in merge->names: 1 + position in inlined->list of its
	 * first inlined instance; 0: none
	 */
	uint32_t *first_copy;
	servers list;
};

/*
 * The candidate nearest to the joinpoint at @position: among those with @wanted's key, and @best.
 * @best is the nearest so far, or NULL.
 */
static const struct server *nearest(const struct search *search, const struct server *wanted,
				    uint32_t position, const struct server *best)
{
	const servers *list = &search->list;
	size_t low = 0, high = list->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_keys(&list->data[middle], wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < list->n && !compare_keys(&list->data[low], wanted); low++) {
		const struct server *server = &list->data[low];

		/* Skip an instruction that was found for this joinpoint itself, by operand. */
		if (!server->exact && server->joinpoint == position)
			continue;
		if (!best || distance(search->merge, position, server->joinpoint) <
				     distance(search->merge, position, best->joinpoint))
			best = server;
	}
	return best;
}

static const struct server *in_own_function(const struct search *search, uint32_t position)
{
	const struct wv_joinpoint *joinpoint = &search->merge->joinpoints.data[position];
	const struct server wanted = make_server(
		search->merge, position, search->merge->functions.data[joinpoint->function].name,
		joinpoint->file);

	return nearest(search, &wanted, position, NULL);
}

static bool is_header(const struct wv_merge *merge, uint32_t file)
{
	const char *name = merge->files.data[file];
	size_t n = strlen(name);

	return n > 2 && !strcmp(name + n - 2, ".h");
}

/*
 * Searches the functions that the joinpoint's function was inlined into. Inlined instances are
 * known only by the function's name. Header functions of one name are taken for one function. A
 * function of a .c file counts only where it was inlined into a function of the same file.
 */
static const struct server *in_inlined(const struct search *search, uint32_t position)
{
	const struct wv_joinpoint *joinpoint = &search->merge->joinpoints.data[position];
	uint32_t name = search->merge->functions.data[joinpoint->function].name;
	bool anywhere = is_header(search->merge, joinpoint->file);
	const struct server *best = NULL;
	uint32_t function, last = WV_NO_SYMBOL;
	size_t i = search->first_copy[name];

	if (!i--)
		return NULL;
	function = search->inlined->list.data[i].function;
	for (; i < search->inlined->list.n && search->inlined->list.data[i].function == function;
	     i++) {
		uint32_t symbol = search->inlined->list.data[i].symbol;
		const struct wv_source_location *entry = &search->shadows->entries.data[symbol];
		const struct wv_source_location *location = &search->inlined->list.data[i].location;
		bool here = entry->file == joinpoint->file ||
			    (location->line && location->file == joinpoint->file);
		struct server wanted;

		if (symbol == last || !entry->line || (!anywhere && !here) ||
		    search->symbol_names[symbol] == WV_POOL_FAILED)
			continue;
		last = symbol;
		wanted = make_server(search->merge, position, search->symbol_names[symbol],
				     entry->file);
		best = nearest(search, &wanted, position, best);
	}
	return best;
}

static int find_first_copies(struct search *search, struct wv_error *error)
{
	search->first_copy = calloc(search->merge->names.strings.n + 1, sizeof(uint32_t));
	if (!search->first_copy)
		return wv_no_memory(error);
	for (size_t i = 0; i < search->inlined->list.n; i++) {
		uint32_t function = search->inlined->list.data[i].function, name;

		if (i && search->inlined->list.data[i - 1].function == function)
			continue;
		name = wv_pool_find(&search->merge->names,
				    wv_pool_get(search->inlined->names, function));
		if (name != WV_POOL_FAILED)
			search->first_copy[name] = i + 1;
	}
	return 0;
}

/*
 * Whether the joinpoint of @shadow has an instruction of its own there. In text whose labels are
 * known, shadows by line and operand are only substitutes. In other text they are the best
 * available.
 */
static bool is_own(const struct wv_merge *merge, const struct wv_shadow *shadow)
{
	return shadow->chosen == WV_CHOSEN_OWN &&
	       (shadow->precision == WEFT_PRECISION_EXACT ||
		!wv_merge_is_labelled(merge, shadow->address));
}

static int find_all(struct wv_shadows *shadows, const struct search *search, struct wv_error *error)
{
	size_t at = 0;

	for (uint32_t i = 0; i < search->merge->joinpoints.n; i++) {
		const struct server *server = NULL;
		struct wv_coalesced *coalesced;
		bool own = false;

		for (; at < shadows->list.n && shadows->list.data[at].joinpoint == i; at++)
			own |= is_own(search->merge, &shadows->list.data[at]);
		if (!own)
			server = in_own_function(search, i) ?: in_inlined(search, i);
		if (!server)
			continue;
		coalesced = wv_vec_push(&shadows->coalesced);
		if (!coalesced)
			return wv_no_memory(error);
		*coalesced = (struct wv_coalesced){ .joinpoint = i, .by = server->joinpoint,
					      .address = server->address,
					      .symbol = server->symbol };
	}
	return 0;
}

int wv_coalesced_find(struct wv_shadows *shadows, const struct wv_merge *merge,
		   const struct wv_symbols *symbols, const struct wv_inlined_list *inlined,
		   struct wv_error *error)
{
	uint32_t *names = name_symbols(merge, symbols);
	struct search search = { .merge = merge, .shadows = shadows, .inlined = inlined,
				 .symbol_names = names };
	int ret = names ? collect(shadows, merge, names, &search.list, error) : wv_no_memory(error);

	if (!ret)
		ret = find_first_copies(&search, error);
	if (!ret)
		ret = find_all(shadows, &search, error);
	wv_vec_deinit(&search.list);
	free(search.first_copy);
	free(names);
	return ret;
}
