// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the place of a section by votes of the section's symbols or of the references to it; see
 * find-place.h.
 */
#include <elf.h>
#include <stdlib.h>

#include "base/order.h"
#include "prove/find-place.h"

/*
 * If an image has more symbols of one name than this, the name identifies nothing: __func__.0,
 * __key.1.
 */
#define SAME_NAME_MAX 256

/* Minimum number of references that agree on the place of a section without symbols. */
#define REFERENCES_MIN 3

struct votes {
	/* the addresses of the section for which symbols or references have voted */
	WV_VEC(uint64_t) addresses;
};

/* The place of a section as one reference to it implies it. */
struct implied {
	uint32_t section;
	uint64_t address;
};

typedef WV_VEC(struct implied) implied_places;

static int compare(const void *left, const void *right)
{
	return wv_order(*(const uint64_t *)left, *(const uint64_t *)right);
}

static int add_votes(struct votes *votes, const struct wv_shipped *shipped,
		     const struct wv_elf_entry *symbol, bool code, const char *main,
		     struct wv_error *error)
{
	size_t n;
	const struct wv_named *named = wv_named_find(&shipped->named, symbol->name, &n);

	if (n > SAME_NAME_MAX)
		return 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t *slot;

		/*
		 * Empty variables of several units may be at one address: that counts as one vote.
		 */
		if (i && named[i].address == named[i - 1].address)
			continue;
		if (code && !wv_shipped_is_unit(shipped, named[i].address, main))
			continue;
		slot = wv_vec_push(&votes->addresses);
		if (!slot)
			return wv_no_memory(error);
		*slot = named[i].address - symbol->value;
	}
	return 0;
}

/*
 * Sets *@ret to the address with the most votes. Returns false if there are no votes, or if several
 * addresses have the most.
 */
static bool count(struct votes *votes, uint64_t *ret)
{
	size_t n = votes->addresses.n, most = 0, end;
	bool alone = false;

	if (n)
		qsort(votes->addresses.data, n, sizeof(*votes->addresses.data), compare);
	for (size_t first = 0; first < n; first = end) {
		for (end = first + 1; end < n && votes->addresses.data[end] ==
						 votes->addresses.data[first];)
			end++;
		if (end - first < most)
			continue;
		alone = end - first > most;
		most = end - first;
		*ret = votes->addresses.data[first];
	}
	return alone;
}

static int compare_implied(const void *left, const void *right)
{
	const struct implied *a = left, *b = right;

	return wv_order(a->section, b->section) ?: wv_order(a->address, b->address);
}

/* Adds the places that the relocations of @function imply for sections whose place is not known. */
static int add_implied(implied_places *list, const struct wv_object_code *code,
		       const struct wv_shipped *shipped, const struct wv_object_function *function,
		       struct wv_error *error)
{
	const wv_sections *sections = wv_image_sections(code->image);
	const wv_relocations *relocations = &code->tables.relocations.data[function->at.section];
	uint64_t place = code->places.data[function->at.section].address;
	size_t i = wv_relocations_from(relocations, function->at.offset);

	for (; i < relocations->n; i++) {
		const struct wv_relocation *relocation = &relocations->data[i];
		const struct wv_elf_entry *symbol =
			&code->tables.symbols.data[relocation->symbol];
		struct wv_shipped_target found;
		struct implied *slot;
		const uint8_t *bytes;
		size_t room;

		if (relocation->offset - function->at.offset >= function->size)
			break;
		if (!relocation->size || symbol->binding != STB_LOCAL ||
		    symbol->section >= code->places.n ||
		    (sections->data[symbol->section].flags & SHF_MERGE) ||
		    code->places.data[symbol->section].state != WV_PLACE_UNKNOWN)
			continue;
		bytes = wv_shipped_bytes(shipped, place + relocation->offset, &room);
		if (room < relocation->size ||
		    !wv_shipped_reference(shipped, place + relocation->offset, bytes, relocation,
					  &found) ||
		    found.external)
			continue;
		slot = wv_vec_push(list);
		if (!slot)
			return wv_no_memory(error);
		slot->section = symbol->section;
		slot->address = found.address - (uint64_t)relocation->addend - symbol->value;
	}
	return 0;
}

/*
 * Sets .address of each section for which more than half of its references, and at least
 * REFERENCES_MIN of them, agree. The section stays WV_PLACE_UNKNOWN: compare.c decides.
 */
static void take_implied(struct wv_object_code *code, const implied_places *list)
{
	size_t of_section, end;

	for (size_t first = 0; first < list->n; first = of_section) {
		uint32_t section = list->data[first].section;

		of_section = first;
		while (of_section < list->n && list->data[of_section].section == section)
			of_section++;
		for (size_t at = first; at < of_section; at = end) {
			uint64_t address = list->data[at].address;

			end = at;
			while (end < of_section && list->data[end].address == address)
				end++;
			if (end - at >= REFERENCES_MIN && 2 * (end - at) > of_section - first)
				code->places.data[section].address = address;
		}
	}
}

static int find_implied(struct wv_object_code *code, const struct wv_shipped *shipped,
			struct wv_error *error)
{
	implied_places list = { 0 };
	int ret = 0;

	wv_vec_for_each(function, &code->functions)
		if (!ret && code->places.data[function->at.section].state == WV_PLACE_KNOWN)
			ret = add_implied(&list, code, shipped, function, error);
	if (list.n)
		qsort(list.data, list.n, sizeof(*list.data), compare_implied);
	if (!ret)
		take_implied(code, &list);
	wv_vec_deinit(&list);
	return ret;
}

int wv_places_find(struct wv_object_code *code, const struct wv_shipped *shipped, const char *main,
		   struct wv_error *error)
{
	const wv_sections *sections = wv_image_sections(code->image);
	struct votes votes = { 0 };
	size_t at = 0, end;
	int ret = 0;

	for (; at < code->symbols.n && !ret; at = end) {
		uint32_t number = code->tables.symbols.data[code->symbols.data[at]].section;
		bool is_code = sections->data[number].flags & SHF_EXECINSTR;
		struct wv_section_place *place = &code->places.data[number];

		votes.addresses.n = 0;
		for (end = at; end < code->symbols.n && !ret; end++) {
			const struct wv_elf_entry *symbol =
				&code->tables.symbols.data[code->symbols.data[end]];

			if (symbol->section != number)
				break;
			if (!is_code || symbol->type == STT_FUNC)
				ret = add_votes(&votes, shipped, symbol, is_code, main, error);
		}
		if (count(&votes, &place->address))
			place->state = WV_PLACE_KNOWN;
		else
			*place = (struct wv_section_place){ is_code ? WV_PLACE_NONE
								    : WV_PLACE_UNKNOWN, 0 };
	}
	wv_vec_deinit(&votes.addresses);
	return ret ?: find_implied(code, shipped, error);
}

bool wv_place_fits(const struct wv_object_code *code, const struct wv_shipped *shipped,
		   uint32_t section, uint64_t address)
{
	size_t first, end;

	wv_object_symbols_in(code, section, &first, &end);
	for (size_t i = first; i < end; i++) {
		const struct wv_elf_entry *symbol =
			&code->tables.symbols.data[code->symbols.data[i]];
		const struct wv_named *named;
		bool found = false;
		size_t n;

		named = wv_named_find(&shipped->named, symbol->name, &n);
		for (size_t k = 0; k < n; k++)
			found |= named[k].address == address + symbol->value &&
				 named[k].size == symbol->size;
		if (!found)
			return false;
	}
	return first < end;
}
