/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a file is well-formed XML. */
#ifndef WV_XML_CHECK_H
#define WV_XML_CHECK_H

#include "aspect/xml/errors.h"
#include "aspect/xml/xml.h"

/*
 * Adds to @list what is wrong with the bytes of @xml from @start on: errors that are independent of
 * each other. Where it adds nothing they are well-formed and have no document type declaration.
 * Fails only where libxml2 cannot be had or memory is out.
 */
int wv_xml_check(const struct wv_xml *xml, size_t start, struct wv_error_list *list,
		 struct wv_error *error);

#endif /* WV_XML_CHECK_H */
