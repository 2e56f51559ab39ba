/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the format of a weft_log() in an advice body: reports conversions that weft.ko cannot put
 * into a record, at their location.
 */
#ifndef WV_CHECK_FORMAT_H
#define WV_CHECK_FORMAT_H

#include <stddef.h>

#include "aspect/xml/errors.h"
#include "aspect/xml/xml-text.h"

/*
 * Checks the call at @offset of @body, which is just after the name weft_log. @macros: the body has
 * #define, so any name may be a macro that stands for a format. Arguments that are no literal are
 * left to GCC.
 */
void wv_format_check(const struct wv_xml_text *body, size_t offset, bool macros,
		     struct wv_error_list *list);

#endif /* WV_CHECK_FORMAT_H */
