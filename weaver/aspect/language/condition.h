/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An advice's condition: C in the attribute `condition`, with the variables of the body. It becomes
 * the body's first statement, so that the code that handles bodies (checks, variables, the
 * compiler's messages) handles the condition too.
 */
#ifndef WV_CONDITION_H
#define WV_CONDITION_H

#include "aspect/xml/xml-text.h"

/*
 * Puts `weft_when(CONDITION)`, or weft_first() if @once, before @body (runtime/advice.h). Condition
 * and body keep the lines and columns that they have in the XML: the text added around the
 * condition is no longer than the XML text in its place. -1: out of memory.
 */
int wv_condition_join(struct wv_xml_text *body, const struct wv_xml_text *condition, bool once);

#endif /* WV_CONDITION_H */
