/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An XML file as a tree in which everything knows its place, to the byte. libxml2 decides what is
 * well-formed. Knows nothing of aspects.
 *
 * Accepted: UTF-8 of at most WV_XML_MAX bytes. Refused: a document type declaration, and so every
 * entity but XML's own five; nothing outside the file is ever read.
 */
#ifndef WV_XML_H
#define WV_XML_H

#include <stddef.h>

#include "aspect/xml/text-location.h"
#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"

#define WV_XML_MAX (1024u * 1024u)

struct wv_errors;

struct wv_xml_attribute {
	char *name, *value;
	struct wv_text_location location;	     /* of the name */
	struct wv_text_location value_location; /* of the value's first byte, after the quote */
};

enum wv_xml_run_kind {
	WV_XML_TEXT,  /* with references */
	WV_XML_CDATA, /* what is inside */
	WV_XML_ASIDE, /* a comment or processing instruction: a blank, and its line breaks */
};

/* A stretch of the file: offsets into wv_xml.bytes. */
struct wv_xml_run {
	enum wv_xml_run_kind kind;
	size_t start, end;
};

struct wv_xml_node {
	char *name;
	struct wv_text_location location; /* of its '<' */
	WV_VEC(struct wv_xml_attribute) attributes;
	WV_VEC(struct wv_xml_node *) children;
	WV_VEC(struct wv_xml_run) runs; /* what stands between its tags and its children's */
};

struct wv_xml {
	char *path;
	char *bytes; /* the file, NUL-terminated */
	size_t n;
	WV_VEC(size_t) lines; /* offset of each line's first byte */
	struct wv_xml_node *root;
};

/*
 * Where a byte of a text stands; the bytes up to the next line break or the next column follow it.
 */
struct wv_xml_column {
	size_t offset; /* in the text */
	unsigned int column;
};

/*
 * A node's text, decoded. It has a line break for every one of the file, so that lines can be
 * counted.
 */
struct wv_xml_text {
	struct wv_str bytes;
	struct wv_text_location location; /* of the first byte */
	/* ascending; where columns do not just follow each other */
	WV_VEC(struct wv_xml_column) columns;
};

/*
 * -WV_E_ASPECT with the place for everything that is wrong with the XML itself. @errors may be
 * NULL, else it receives what is wrong independently of each other: C's & and < that begin nothing,
 * and unknown entities. Of tags that do not fit only the first is told: where it belongs nobody
 * knows, and so what those behind it mean.
 */
int wv_xml_read(const char *path, struct wv_xml **ret, struct wv_errors *errors,
		struct wv_error *error);
void wv_xml_destroy(struct wv_xml *xml);

/*
 * All text of @node: references replaced, CDATA opened, comments and processing instructions
 * dropped. -WV_E_ASPECT for a character reference to a line break, which would move all the lines
 * behind it.
 */
int wv_xml_text(const struct wv_xml *xml, const struct wv_xml_node *node, struct wv_xml_text *ret,
		struct wv_error *error);
/* The same of an attribute's value, in which line breaks stay what they are. */
int wv_xml_value(const struct wv_xml *xml, const struct wv_xml_attribute *attribute,
		 struct wv_xml_text *ret, struct wv_error *error);
void wv_xml_text_deinit(struct wv_xml_text *text);

/* The place of a byte of the decoded text. */
struct wv_text_location wv_xml_text_location(const struct wv_xml_text *text, size_t offset);

#endif /* WV_XML_H */
