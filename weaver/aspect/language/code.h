/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A piece of C that the author wrote, with its location in the file and the variables it names: an
 * advice's body, a <declare>, <start> or <end>, the type of a <task>, or an attribute that holds an
 * expression. The containing struct determines its use. body.h checks it and writes it.
 */
#ifndef WV_CODE_H
#define WV_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "aspect/xml/text-location.h"
#include "aspect/language/variables.h"
#include "aspect/xml/xml-text.h"
#include "base/vec.h"

/*
 * A variable that the code names and whose value is found separately for each shadow
 * (aspect/resolve/values.h).
 */
struct wv_reference {
	enum wv_reference_kind kind;
	char *name;	       /* "" if the kind has no name */
	struct wv_text_location location; /* location where the code names it first */
};

/* All zero: there is none. Owned by the containing struct. */
struct wv_aspect_code {
	/* location of the element or of the attribute's value; line 0: there is none */
	struct wv_text_location location;
	struct wv_xml_text text; /* C; .bytes.data is NULL if there is none */
	uint64_t variables;	 /* WV_VARIABLE_BIT()s of the variables that it names */
	WV_VEC(struct wv_reference) named; /* each variable once; without WV_REFERENCE_TASK */
	/* the same for WV_REFERENCE_TASK: the task variables that it uses */
	WV_VEC(struct wv_reference) tasks;
	bool calls; /* calls functions other than weft's, which may take stack traces */
};

void wv_aspect_code_deinit(struct wv_aspect_code *code);

#endif /* WV_CODE_H */
