/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An XML file as a tree in which everything has its exact location, to the byte. Knows nothing
 * about aspects.
 */
#ifndef WV_XML_TREE_H
#define WV_XML_TREE_H

#include <stddef.h>

#include "aspect/xml/text-location.h"
#include "base/vec.h"

struct wv_xml_attribute {
	char *name, *value;
	struct wv_text_location location;	     /* location of the attribute's name */
	/* location of the value's first byte, after the quote */
	struct wv_text_location value_location;
};

enum wv_xml_run_kind {
	WV_XML_TEXT,  /* text that may contain references */
	WV_XML_CDATA, /* content of a CDATA section */
	/* a comment or processing instruction; decoded as a blank and its line breaks */
	WV_XML_ASIDE,
};

/* A range of the file: offsets into wv_xml.bytes. */
struct wv_xml_run {
	enum wv_xml_run_kind kind;
	size_t start, end;
};

struct wv_xml_node {
	char *name;
	struct wv_text_location location; /* location of the element's '<' */
	WV_VEC(struct wv_xml_attribute) attributes;
	WV_VEC(struct wv_xml_node *) children;
	/* text between this element's tags, but not inside its children */
	WV_VEC(struct wv_xml_run) runs;
};

struct wv_xml {
	char *path;
	char *bytes; /* contents of the file, NUL-terminated */
	size_t n;
	WV_VEC(size_t) lines; /* offset of each line's first byte */
	struct wv_xml_node *root;
};

void wv_xml_destroy(struct wv_xml *xml);

/* Returns the line and column of the byte at @offset of the file. */
struct wv_text_location wv_xml_location(const struct wv_xml *xml, size_t offset);

#endif /* WV_XML_TREE_H */
