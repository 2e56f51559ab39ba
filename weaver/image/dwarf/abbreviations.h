/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What .debug_abbrev says of a unit's entries: for each code a tag and the attributes, with their forms. By code, so that an
 * entry is read with one look-up and a walk over its forms.
 */
#ifndef WV_ABBREVIATIONS_H
#define WV_ABBREVIATIONS_H

#include "base/vec.h"
#include "image/image.h"

struct wv_attribute {
	uint32_t name, form;
	int64_t constant; /* of DW_FORM_implicit_const */
};

struct wv_abbreviation {
	uint32_t tag, first, n; /* attributes */
	bool children;
};

/* All zero is none. */
struct wv_abbreviations {
	WV_VEC(struct wv_attribute) attributes;
	WV_VEC(struct wv_abbreviation) list; /* by code; tag 0: none of this code */
	uint64_t offset;		     /* that they were read from */
	bool read;
};

void wv_abbreviations_deinit(struct wv_abbreviations *abbreviations);

/*
 * Those at @offset of @section, in place of what was there; units that share theirs have them read once. *@whole_ret is false
 * when they are damaged. The only failure is -WV_E_NO_MEMORY.
 */
int wv_abbreviations_read(struct wv_abbreviations *abbreviations, const struct wv_section *section,
			  uint64_t offset, bool *whole_ret, struct wv_error *error);

/* NULL when no entry has this code. */
const struct wv_abbreviation *wv_abbreviation_of(const struct wv_abbreviations *abbreviations,
						 uint64_t code);

#endif /* WV_ABBREVIATIONS_H */
