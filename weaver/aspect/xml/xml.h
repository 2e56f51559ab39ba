/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads an XML file. libxml2 decides what is well-formed.
 *
 * Accepted: UTF-8 of at most WV_XML_MAX bytes. Refused: a document type declaration, and so every
 * entity but XML's own five. Nothing outside the file is ever read.
 */
#ifndef WV_XML_H
#define WV_XML_H

#include "aspect/xml/xml-tree.h"
#include "base/error.h"

#define WV_XML_MAX (1024u * 1024u)

struct wv_errors;

/*
 * -WV_E_ASPECT with the place for every error in the XML itself. @errors may be NULL; else it
 * receives the errors that are independent of each other: & and < of C that begin no markup, and
 * unknown entities. Of mismatched tags only the first is reported: its intended place is unknown,
 * and so is the meaning of the tags after it.
 */
int wv_xml_read(const char *path, struct wv_xml **ret, struct wv_errors *errors,
		struct wv_error *error);

#endif /* WV_XML_H */
