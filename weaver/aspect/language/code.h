/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A piece of C that the author wrote, with its location in the file and the variables that it
 * names: the body of an advice, a <declare>, <start> or <end>, the type of a <task>, or an
 * attribute that has an expression. The struct that contains it says which. body.h checks and
 * writes it.
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
	/* text between the brackets, for FIELD a path; "" for a variable without brackets ($obj) */
	char *name;
	struct wv_text_location location; /* of the variable's first occurrence in the code */
};

/* A piece of C. All zero: there is none. The struct that contains it frees it. */
struct wv_aspect_code {
	/* location of the element or of the attribute's value; line 0: there is no C */
	struct wv_text_location location;
	struct wv_xml_text text; /* C; .bytes.data is NULL if there is none */
	/* WV_VARIABLE_BIT()s of the variables in wv_variables that the code names */
	uint64_t variables;
	/*
	 * variables whose value is found for each shadow, each once; task variables are in .tasks
	 */
	WV_VEC(struct wv_reference) named;
	/* task variables that the code names, each once */
	WV_VEC(struct wv_reference) tasks;
	bool calls; /* true: calls functions that are not weft's and may take a stack trace */
	/* true: weft.ko stores the call stack of a hit, and finds it by the trampoline's frame */
	bool stack;
};

void wv_aspect_code_deinit(struct wv_aspect_code *code);

#endif /* WV_CODE_H */
