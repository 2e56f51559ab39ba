/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The condition of an advice: C in the attribute `condition`, with the same variables as the body.
 * The condition becomes the first statement of the body. So all that is done with bodies (checks,
 * variables, compiler messages) is done with conditions, too.
 */
#ifndef WV_CONDITION_H
#define WV_CONDITION_H

#include "aspect/xml/xml-text.h"

/*
 * Puts `weft_when(CONDITION)` or, if @once, `weft_first(CONDITION)` before @body
 * (runtime/advice.h). Condition and body keep their lines and columns in the XML, because the text
 * around the condition is no longer than the XML that it replaces. Returns -1 if out of memory.
 */
int wv_condition_join(struct wv_xml_text *body, const struct wv_xml_text *condition, bool once);

#endif /* WV_CONDITION_H */
