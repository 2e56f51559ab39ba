/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes XML that xml.h reads back as the same values, except that line breaks in attributes become
 * blanks. The only possible error is that memory runs out: then .out has failed (base/str.h).
 */
#ifndef WV_XML_WRITER_H
#define WV_XML_WRITER_H

#include <stdbool.h>

#include "base/str.h"

struct wv_xml_writer {
	struct wv_str *out;
	unsigned int depth; /* number of elements that are open */
	bool in_tag;	    /* the start tag of the innermost open element is not finished */
};

void wv_xml_begin(struct wv_xml_writer *writer, const char *element);
/* Adds an attribute to the element that was begun last. Adds nothing if @value is NULL. */
void wv_xml_attribute(struct wv_xml_writer *writer, const char *name, const char *value);
/*
 * Adds text to the innermost open element. Each of its lines ends with a newline and is indented by
 * the caller.
 */
void wv_xml_lines(struct wv_xml_writer *writer, const char *lines);
void wv_xml_end(struct wv_xml_writer *writer, const char *element);

#endif /* WV_XML_WRITER_H */
