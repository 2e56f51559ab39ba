/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format of a weft_log() in an advice body: conversions that weft.ko would not record are
 * refused where they stand.
 */
#ifndef WV_CHECK_FORMAT_H
#define WV_CHECK_FORMAT_H

#include <stddef.h>

#include "aspect/xml/errors.h"
#include "aspect/xml/xml-text.h"

/*
 * @offset is behind the name weft_log. @macros: the body defines some. What is no literal there is
 * GCC's business.
 */
void wv_format_check(const struct wv_xml_text *body, size_t offset, bool macros,
		     struct wv_error_list *list);

#endif /* WV_CHECK_FORMAT_H */
