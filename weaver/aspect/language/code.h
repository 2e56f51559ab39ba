/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A piece of C that the author wrote, with its place in the file and what it names: an advice's
 * body, a <declare>, <start> or <end>, the type of a <task>, an attribute that holds an
 * expression. What it is used for is said by what contains it; body.h checks it and writes it
 * down again.
 */
#ifndef WV_CODE_H
#define WV_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "aspect/xml/text-location.h"
#include "aspect/language/variables.h"
#include "aspect/xml/xml.h"
#include "base/vec.h"

/*
 * A variable that the code names and whose value is found for each shadow
 * (aspect/resolve/values.h).
 */
struct wv_reference {
	enum wv_reference_kind kind;
	char *name;	       /* "" where the kind has none */
	struct wv_text_location location; /* where the code names it first */
};

/* All zero: there is none. Whoever contains it owns it. */
struct wv_aspect_code {
	/* of the element or the attribute's value; line 0: there is none */
	struct wv_text_location location;
	struct wv_xml_text text; /* C; .bytes.data is NULL where there is none */
	uint64_t variables;	 /* WV_VARIABLE_BIT()s of the variables that it names */
	WV_VEC(struct wv_reference) named; /* each variable once, without WV_REFERENCE_TASK */
	/* the same of WV_REFERENCE_TASK: what it keeps of tasks */
	WV_VEC(struct wv_reference) tasks;
	bool calls; /* functions that are not weft's, which may take stack traces */
};

void wv_aspect_code_deinit(struct wv_aspect_code *code);

#endif /* WV_CODE_H */
