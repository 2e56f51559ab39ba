/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks whether a file is well-formed XML. */
#ifndef WV_XML_CHECK_H
#define WV_XML_CHECK_H

#include "aspect/xml/errors.h"
#include "aspect/xml/xml-tree.h"

/*
 * Adds the errors in the bytes of @xml from @start on to @list, as far as they are independent of
 * each other. If it adds none, these bytes are well-formed and have no document type declaration.
 * Returns 0 even if the file has errors, and fails only if libxml2 cannot be loaded or memory runs
 * out.
 */
int wv_xml_check(const struct wv_xml *xml, size_t start, struct wv_error_list *list,
		 struct wv_error *error);

#endif /* WV_XML_CHECK_H */
