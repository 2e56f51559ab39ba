// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Combines the pieces of inlined instances with the rows of the line tables; see source-places.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/order.h"
#include "index/source-places.h"

/*
 * Maximum nesting of inlined instances; those nested more deeply are left out. A kernel has about
 * 30 levels. (dies.h has a separate limit, which protects against damaged input.)
 */
#define NESTING_MAX 256

/* The state of one pass over two sorted lists, the rows and the pieces. */
struct sweep {
	struct wv_source_places *places;
	const struct wv_merge *merge;
	const struct wv_debug *debug;
	const struct wv_row **rows;
	/* .row: index of the next row in .rows, which has .nr_rows elements. */
	size_t nr_rows, row;
	size_t piece;	     /* index of the next piece in debug->inlined_pieces */
	/* the pieces that contain the current address */
	const struct wv_inlined_piece *open[NESTING_MAX];
	size_t nr_open;
	const struct wv_row *current; /* the row at the current address, or NULL */
	struct wv_error *error;
};

/*
 * Rows at one address are ordered by their position in the table: the last of them belongs to the
 * code.
 */
static int compare_rows(const void *left, const void *right)
{
	const struct wv_row *const *a = left, *const *b = right;

	return wv_order((*a)->address, (*b)->address) ?: (*a > *b) - (*a < *b);
}

static uint64_t end_of(const struct wv_row *row)
{
	return row->address + row->size;
}

/* Returns the next address at which a row or a piece begins or ends; UINT64_MAX: there is none. */
static uint64_t next_address(const struct sweep *sweep)
{
	uint64_t next = UINT64_MAX;

	if (sweep->row < sweep->nr_rows)
		next = sweep->rows[sweep->row]->address;
	if (sweep->current && end_of(sweep->current) < next)
		next = end_of(sweep->current);
	if (sweep->piece < sweep->debug->inlined_pieces.n &&
	    sweep->debug->inlined_pieces.data[sweep->piece].start < next)
		next = sweep->debug->inlined_pieces.data[sweep->piece].start;
	for (size_t i = 0; i < sweep->nr_open; i++)
		if (sweep->open[i]->end < next)
			next = sweep->open[i]->end;
	return next;
}

/*
 * Moves the sweep to @address: sets .current and .open to the row and the pieces that contain it.
 */
static void go_to(struct sweep *sweep, uint64_t address)
{
	size_t kept = 0;

	if (sweep->current && end_of(sweep->current) <= address)
		sweep->current = NULL;
	while (sweep->row < sweep->nr_rows && sweep->rows[sweep->row]->address <= address)
		sweep->current = sweep->rows[sweep->row++];
	for (size_t i = 0; i < sweep->nr_open; i++)
		if (sweep->open[i]->end > address)
			sweep->open[kept++] = sweep->open[i];
	sweep->nr_open = kept;
	for (; sweep->piece < sweep->debug->inlined_pieces.n; sweep->piece++) {
		const struct wv_inlined_piece *piece =
			&sweep->debug->inlined_pieces.data[sweep->piece];

		if (piece->start > address)
			return;
		if (piece->end > address && sweep->nr_open < NESTING_MAX)
			sweep->open[sweep->nr_open++] = piece;
	}
}

/*
 * Returns the innermost inlined function. If several have the same depth, as only wrong DWARF says,
 * returns the one that began last.
 */
static uint32_t innermost(const struct sweep *sweep)
{
	const struct wv_inlined_piece *found = NULL;

	for (size_t i = 0; i < sweep->nr_open; i++)
		if (!found || sweep->open[i]->depth >= found->depth)
			found = sweep->open[i];
	return found ? found->function : WV_NOT_INLINED;
}

static int add(struct sweep *sweep, uint64_t address)
{
	struct wv_source_position place = { .address = address, .function = innermost(sweep) };
	const struct wv_source_places *places = sweep->places;
	const struct wv_source_position *last =
		places->list.n ? &places->list.data[places->list.n - 1] : NULL;
	struct wv_source_position *slot;

	if (sweep->current)
		place.location = (struct wv_source_location){
			sweep->merge->file_of.data[sweep->current->file], sweep->current->line,
			sweep->current->column };
	if (last && last->function == place.function &&
	    !memcmp(&last->location, &place.location, sizeof(place.location)))
		return 0;
	slot = wv_vec_push(&sweep->places->list);
	if (!slot)
		return wv_no_memory(sweep->error);
	*slot = place;
	return 0;
}

/* Collects the rows that have code, in the order of their addresses. */
static void collect_rows(struct sweep *sweep, const wv_rows *rows)
{
	bool sorted = true;

	wv_vec_for_each(row, rows) {
		if (!row->size)
			continue;
		sorted &= !sweep->nr_rows ||
			  sweep->rows[sweep->nr_rows - 1]->address <= row->address;
		sweep->rows[sweep->nr_rows++] = row;
	}
	if (!sorted)
		qsort(sweep->rows, sweep->nr_rows, sizeof(*sweep->rows), compare_rows);
}

int wv_source_places_init(struct wv_source_places *places, const struct wv_debug *debug,
			  const wv_rows *rows, const struct wv_merge *merge,
			  struct wv_error *error)
{
	_cleanup_free_ const struct wv_row **sorted = calloc(rows->n + 1, sizeof(*sorted));
	struct sweep sweep = { .places = places, .merge = merge, .debug = debug, .rows = sorted,
			       .error = error };
	uint64_t address;
	int ret = 0;

	memset(places, 0, sizeof(*places));
	if (!sorted)
		return wv_no_memory(error);
	collect_rows(&sweep, rows);
	while (!ret && (address = next_address(&sweep)) != UINT64_MAX) {
		go_to(&sweep, address);
		ret = add(&sweep, address);
	}
	if (ret)
		wv_source_places_deinit(places);
	return ret;
}

const struct wv_source_position *wv_source_places_at(const struct wv_source_places *places,
						     uint64_t address)
{
	size_t after = wv_vec_partition(&places->list, place, place->address <= address);

	return after ? &places->list.data[after - 1] : NULL;
}

void wv_source_places_deinit(struct wv_source_places *places)
{
	wv_vec_deinit(&places->list);
}
