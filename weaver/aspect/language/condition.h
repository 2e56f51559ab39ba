/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An advice's condition: C in an attribute, with the same variables as the body. It becomes the
 * body's first statement, so that all code that reads bodies (checks, variables, the compiler's
 * messages) also handles the condition.
 */
#ifndef WV_CONDITION_H
#define WV_CONDITION_H

#include "aspect/xml/xml-text.h"

/*
 * Puts `weft_when(CONDITION)` (runtime/advice.h) before @body. Both keep their lines and columns:
 * the condition stands in the start tag, and the text added around it is no longer than the XML
 * text that it replaces. -1: out of memory.
 */
int wv_condition_join(struct wv_xml_text *body, const struct wv_xml_text *condition, bool once);

#endif /* WV_CONDITION_H */
