/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A piece of C that the author wrote, with its location in the file and the variables it names: an
 * advice's body, a <declare>, <start> or <end>, the type of a <task>, or an attribute that holds an
 * expression. Which of these it is depends on the struct that contains it. body.h checks and writes
 * it.
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
	/* the text between the brackets, a path for FIELD; "" for a kind without brackets ($obj) */
	char *name;
	struct wv_text_location location; /* location of its first occurrence in the code */
};

/* A piece of C. All zero: there is none. The struct that contains it also releases it. */
struct wv_aspect_code {
	/* location of the element or of the attribute's value; line 0: there is none */
	struct wv_text_location location;
	struct wv_xml_text text; /* C; .bytes.data is NULL if there is none */
	/* set of WV_VARIABLE_BIT()s: the variables of wv_variables that the code names */
	uint64_t variables;
	/* variables found for each shadow, each once; no task variables */
	WV_VEC(struct wv_reference) named;
	/* task variables that the code names, each once */
	WV_VEC(struct wv_reference) tasks;
	bool calls; /* calls functions other than weft's own: these may take stack traces */
};

void wv_aspect_code_deinit(struct wv_aspect_code *code);

#endif /* WV_CODE_H */
