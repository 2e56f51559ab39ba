// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lists that entries of .debug_info refer to: ranges of addresses, and locations by address, in the forms of DWARF 5
 * and 4. Each list is walked by one function that gives its ranges one by one; what is damaged ends the walk.
 */
#include <dwarf.h>

#include "image/cursor.h"
#include "image/dwarf/dies-reader.h"
#include "image/dwarf/dies.h"

struct range {
	uint64_t start, end;
	const uint8_t *bytes; /* a location list's expression */
	size_t size;
};

struct list {
	struct wv_cursor cursor;
	uint64_t base;
	bool old;	/* of DWARF 4 */
	bool locations; /* every range has an expression */
	uint8_t address_size;
};

static bool open_list(const struct wv_dies *dies, bool locations, uint64_t offset, struct list *ret)
{
	const struct wv_section *section;

	*ret = (struct list){ .base = dies->base, .old = dies->version < 5,
			      .locations = locations, .address_size = dies->address_size };
	section = locations ? ret->old ? dies->loc : dies->loclists :
		  ret->old  ? dies->ranges :
			      dies->rnglists;
	if (!section || !section->data || offset >= section->size)
		return false;
	ret->cursor = (struct wv_cursor){ .at = section->data + offset,
					  .end = section->data + section->size };
	return true;
}

static void read_expression(struct list *list, uint64_t size, struct range *ret)
{
	ret->bytes = list->cursor.at;
	ret->size = size;
	wv_cursor_skip(&list->cursor, size);
}

/* DWARF 4: pairs of addresses, ended by zeroes; the greatest address sets the base. */
static bool next_old(struct list *list, struct range *ret)
{
	while (!list->cursor.wrong) {
		uint64_t start = wv_cursor_number(&list->cursor, 8);
		uint64_t end = wv_cursor_number(&list->cursor, 8);

		if (!start && !end)
			return false;
		if (start == UINT64_MAX) {
			list->base = end;
			continue;
		}
		ret->start = list->base + start;
		ret->end = list->base + end;
		if (list->locations)
			read_expression(list, wv_cursor_number(&list->cursor, 2), ret);
		return !list->cursor.wrong;
	}
	return false;
}

/* The codes of DW_RLE_* and DW_LLE_* for these are not the same. */
enum step { STEP_END, STEP_SKIPPED, STEP_BASE, STEP_PAIR, STEP_ADDRESSES, STEP_LENGTH, STEP_DEFAULT };

static enum step step_of(struct list *list)
{
	uint8_t code = wv_cursor_number(&list->cursor, 1);

	if (!list->locations)
		return code == DW_RLE_base_address ? STEP_BASE :
		       code == DW_RLE_offset_pair  ? STEP_PAIR :
		       code == DW_RLE_start_end	   ? STEP_ADDRESSES :
		       code == DW_RLE_start_length ? STEP_LENGTH :
						     STEP_END;
	switch (code) {
	case DW_LLE_base_address:
		return STEP_BASE;
	case DW_LLE_offset_pair:
		return STEP_PAIR;
	case DW_LLE_start_end:
		return STEP_ADDRESSES;
	case DW_LLE_start_length:
		return STEP_LENGTH;
	case DW_LLE_default_location:
		return STEP_DEFAULT;
	case 0x09: /* DW_LLE_GNU_view_pair: which of several statements at one address */
		wv_cursor_uleb(&list->cursor);
		wv_cursor_uleb(&list->cursor);
		return STEP_SKIPPED;
	}
	return STEP_END;
}

static bool next_range(struct list *list, struct range *ret)
{
	struct wv_cursor *cursor = &list->cursor;

	if (list->old)
		return next_old(list, ret);
	while (!cursor->wrong) {
		switch (step_of(list)) {
		case STEP_END:
			return false;
		case STEP_SKIPPED:
			continue;
		case STEP_BASE:
			list->base = wv_cursor_number(cursor, list->address_size);
			continue;
		case STEP_PAIR:
			ret->start = list->base + wv_cursor_uleb(cursor);
			ret->end = list->base + wv_cursor_uleb(cursor);
			break;
		case STEP_ADDRESSES:
			ret->start = wv_cursor_number(cursor, list->address_size);
			ret->end = wv_cursor_number(cursor, list->address_size);
			break;
		case STEP_LENGTH:
			ret->start = wv_cursor_number(cursor, list->address_size);
			ret->end = ret->start + wv_cursor_uleb(cursor);
			break;
		case STEP_DEFAULT:
			ret->start = 0;
			ret->end = UINT64_MAX;
			break;
		}
		if (list->locations)
			read_expression(list, wv_cursor_uleb(cursor), ret);
		return !cursor->wrong;
	}
	return false;
}

bool wv_dies_entry(const struct wv_dies *dies, const struct wv_die *die, uint64_t *ret)
{
	struct range range = { 0 };
	struct list list;

	/* An empty range is what is left of a function that came to nothing. */
	if (die->flags & WV_DIE_HAS_LOW_PC) {
		*ret = die->low_pc;
		if (!die->high_pc || die->high_pc == die->low_pc)
			return false;
	} else if (die->flags & WV_DIE_HAS_RANGES) {
		if (!open_list(dies, false, die->ranges, &list))
			return false;
		do {
			if (!next_range(&list, &range))
				return false;
		} while (range.start >= range.end);
		*ret = range.start;
	} else {
		return false;
	}
	if (die->flags & WV_DIE_HAS_ENTRY_PC)
		*ret = die->entry_pc;
	return true;
}

size_t wv_dies_pieces(const struct wv_dies *dies, const struct wv_die *die, uint64_t *ret, size_t most)
{
	struct range range = { 0 };
	struct list list;
	size_t n = 0;

	if (die->flags & WV_DIE_HAS_LOW_PC) {
		if (!most || !die->high_pc || die->high_pc == die->low_pc)
			return 0;
		ret[0] = die->low_pc;
		return 1;
	}
	if (!(die->flags & WV_DIE_HAS_RANGES) || !open_list(dies, false, die->ranges, &list))
		return 0;
	while (n < most && next_range(&list, &range))
		if (range.start < range.end)
			ret[n++] = range.start;
	return n;
}

bool wv_dies_contains(const struct wv_dies *dies, const struct wv_die *die, uint64_t address)
{
	struct range range = { 0 };
	struct list list;

	/* high_pc is a size as everybody writes it; as an address it is not below low_pc. */
	if (die->flags & WV_DIE_HAS_LOW_PC)
		return address >= die->low_pc &&
		       address - die->low_pc < (die->high_pc >= die->low_pc ?
							die->high_pc - die->low_pc :
							die->high_pc);
	if (!(die->flags & WV_DIE_HAS_RANGES) || !open_list(dies, false, die->ranges, &list))
		return false;
	while (next_range(&list, &range))
		if (address >= range.start && address < range.end)
			return true;
	return false;
}

bool wv_dies_expression(const struct wv_dies *dies, const struct wv_die_location *location,
			uint64_t address, const uint8_t **ret, size_t *size_ret)
{
	struct range range = { 0 };
	struct list list;

	*ret = location->bytes;
	*size_ret = location->size;
	if (!location->has_list)
		return location->bytes && location->size;
	if (!open_list(dies, true, location->list, &list))
		return false;
	while (next_range(&list, &range)) {
		if (address < range.start || address >= range.end)
			continue;
		*ret = range.bytes;
		*size_ret = range.size;
		return range.size;
	}
	return false;
}
