// SPDX-License-Identifier: GPL-2.0-or-later
/* Joins a condition and a body to one piece of C; see condition.h. */
#include <stdlib.h>
#include <string.h>

#include "aspect/language/condition.h"

static const char before[] = "weft_when(", before_once[] = "weft_first(";
static const char after[] = ")";

/*
 * The C has `weft_when(` or `weft_first(` in the place of the XML's `condition="`, and `)` in the
 * place of `">`. These texts must not be longer than the XML. If they were, condition and body
 * could not keep the columns that they have in the XML.
 */
_Static_assert(sizeof(before) <= sizeof("condition=\""), "columns");
_Static_assert(sizeof(before_once) <= sizeof("condition=\""), "columns");
_Static_assert(sizeof(after) <= sizeof("\">"), "columns");

/*
 * Appends @text with its columns. The first byte of @text must have an entry in .columns, because
 * its column does not follow from the text before it.
 */
static void append(struct wv_xml_text *joined, const struct wv_xml_text *text)
{
	wv_vec_for_each(column, &text->columns) {
		struct wv_xml_column *copy = wv_vec_push(&joined->columns);

		if (copy)
			*copy = (struct wv_xml_column){
				joined->bytes.n + column->offset, column->column
			};
		else
			joined->bytes.failed = true;
	}
	wv_str_add_n(&joined->bytes, text->bytes.data, text->bytes.n);
}

int wv_condition_join(struct wv_xml_text *body, const struct wv_xml_text *condition, bool once)
{
	struct wv_xml_text joined = { .location = condition->location };
	struct wv_xml_column *first = wv_vec_push(&joined.columns);
	unsigned int line = condition->location.line;

	joined.location.column -= once ? sizeof(before_once) - 1 : sizeof(before) - 1;
	if (first)
		*first = (struct wv_xml_column){ 0, joined.location.column };
	wv_str_add(&joined.bytes, once ? before_once : before);
	append(&joined, condition);
	wv_str_add(&joined.bytes, after);
	for (size_t i = 0; i < condition->bytes.n; i++)
		line += condition->bytes.data[i] == '\n';
	for (; body->bytes.n && line < body->location.line; line++)
		wv_str_add(&joined.bytes, "\n");
	append(&joined, body);
	wv_xml_text_deinit(body);
	*body = joined;
	return first && !joined.bytes.failed ? 0 : -1;
}
