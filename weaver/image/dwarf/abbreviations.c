// SPDX-License-Identifier: GPL-2.0-or-later
/* Abbreviations of one unit; see abbreviations.h. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "image/dwarf/abbreviations.h"
#include "image/cursor.h"

#define CODE_MAX 65536 /* compilers number them from 1 */

void wv_abbreviations_deinit(struct wv_abbreviations *abbreviations)
{
	wv_vec_deinit(&abbreviations->attributes);
	wv_vec_deinit(&abbreviations->list);
}

/* Attributes up to the pair of zeroes that ends them. */
static int read_attributes(struct wv_abbreviations *abbreviations, struct wv_cursor *cursor,
			   struct wv_error *error)
{
	for (;;) {
		struct wv_attribute attribute = { .name = wv_cursor_uleb(cursor) };
		struct wv_attribute *slot;

		attribute.form = wv_cursor_uleb(cursor);
		if (attribute.form == DW_FORM_implicit_const)
			attribute.constant = wv_cursor_sleb(cursor);
		if (cursor->wrong || (!attribute.name && !attribute.form))
			return 0;
		slot = wv_vec_push(&abbreviations->attributes);
		if (!slot)
			return wv_no_memory(error);
		*slot = attribute;
	}
}

int wv_abbreviations_read(struct wv_abbreviations *abbreviations, const struct wv_section *section,
			  uint64_t offset, bool *whole_ret, struct wv_error *error)
{
	struct wv_cursor cursor = wv_cursor_at(section, offset);

	*whole_ret = true;
	if (abbreviations->read && offset == abbreviations->offset)
		return 0;
	abbreviations->attributes.n = abbreviations->list.n = 0;
	abbreviations->read = false;
	*whole_ret = false;
	for (;;) {
		struct wv_abbreviation abbreviation = { .first = abbreviations->attributes.n };
		uint64_t code = wv_cursor_uleb(&cursor);
		int ret;

		if (!code && !cursor.wrong)
			break;
		abbreviation.tag = wv_cursor_uleb(&cursor);
		abbreviation.children = wv_cursor_number(&cursor, 1);
		ret = read_attributes(abbreviations, &cursor, error);
		if (ret)
			return ret;
		if (cursor.wrong || code >= CODE_MAX)
			return 0;
		abbreviation.n = abbreviations->attributes.n - abbreviation.first;
		while (abbreviations->list.n <= code)
			if (!wv_vec_push(&abbreviations->list))
				return wv_no_memory(error);
		abbreviations->list.data[code] = abbreviation;
	}
	abbreviations->offset = offset;
	*whole_ret = abbreviations->read = true;
	return 0;
}

const struct wv_abbreviation *wv_abbreviation_of(const struct wv_abbreviations *abbreviations,
						 uint64_t code)
{
	if (code >= abbreviations->list.n || !abbreviations->list.data[code].tag)
		return NULL;
	return &abbreviations->list.data[code];
}
