/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads an XML file to a tree (xml-tree.h). libxml2 decides whether the file is well-formed. */
#ifndef WV_XML_H
#define WV_XML_H

#include "aspect/xml/xml-tree.h"
#include "base/error.h"
#include "base/str.h"

#define WV_XML_MAX (1024u * 1024u)

struct wv_errors;

/*
 * Reads the file @path. Returns -WV_E_ASPECT, with the location, if the XML itself is wrong; @error
 * is the first error. @errors, if not NULL, gets all errors that are independent of each other:
 * each & or < that begins no markup, and each unknown entity. Of tags that do not match, only the
 * first is reported: where its partner should be is not known, so the meaning of later tags is not
 * known either.
 */
int wv_xml_read(const char *path, struct wv_xml **ret, struct wv_errors *errors,
		struct wv_error *error);

/*
 * Like wv_xml_read(), for @text instead of a file: @path is its name in messages. If @text is NULL,
 * reads the file @path.
 */
int wv_xml_read_text(const char *path, const struct wv_str *text, struct wv_xml **ret,
		     struct wv_errors *errors, struct wv_error *error);

#endif /* WV_XML_H */
