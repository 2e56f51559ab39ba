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
 * Checks the call of weft_log() whose name ends at @offset of @body. @macros: the body has
 * preprocessor directives, so that any name may be a macro for a format. Reports a format that is
 * neither a literal nor may be a macro for one. What a macro stands for is left to GCC.
 */
void wv_format_check(const struct wv_xml_text *body, size_t offset, bool macros,
		     struct wv_error_list *list);

#endif /* WV_CHECK_FORMAT_H */
