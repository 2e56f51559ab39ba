/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An XML file as a tree in which everything has its exact place, to the byte. libxml2 decides what
 * is well-formed. Independent of aspects.
 *
 * Accepted: UTF-8 of at most WV_XML_MAX bytes. Refused: a document type declaration, and so every
 * entity but XML's own five. Nothing outside the file is ever read.
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
	struct wv_text_location location;	     /* place of the name */
	/* place of the value's first byte, after the quote */
	struct wv_text_location value_location;
};

enum wv_xml_run_kind {
	WV_XML_TEXT,  /* text that may contain references */
	WV_XML_CDATA, /* content of a CDATA section */
	/* a comment or processing instruction: counts as a blank and its line breaks */
	WV_XML_ASIDE,
};

/* A range of the file: offsets into wv_xml.bytes. */
struct wv_xml_run {
	enum wv_xml_run_kind kind;
	size_t start, end;
};

struct wv_xml_node {
	char *name;
	struct wv_text_location location; /* place of its '<' */
	WV_VEC(struct wv_xml_attribute) attributes;
	WV_VEC(struct wv_xml_node *) children;
	WV_VEC(struct wv_xml_run) runs; /* text between its tags and those of its children */
};

struct wv_xml {
	char *path;
	char *bytes; /* the file, NUL-terminated */
	size_t n;
	WV_VEC(size_t) lines; /* offset of each line's first byte */
	struct wv_xml_node *root;
};

/*
 * The place of a byte of decoded text. It also determines the places of the following bytes, up to
 * the next line break or the next wv_xml_column.
 */
struct wv_xml_column {
	size_t offset; /* offset in the decoded text */
	unsigned int column;
};

/* A node's text, decoded. Keeps every line break of the file, so that lines can be counted. */
struct wv_xml_text {
	struct wv_str bytes;
	struct wv_text_location location; /* place of the first byte */
	/* ascending; one for each place where columns are not consecutive */
	WV_VEC(struct wv_xml_column) columns;
};

/*
 * -WV_E_ASPECT with the place for every error in the XML itself. @errors may be NULL; else it
 * receives the errors that are independent of each other: & and < of C that begin no markup, and
 * unknown entities. Of mismatched tags only the first is reported: its intended place is unknown,
 * and so is the meaning of the tags after it.
 */
int wv_xml_read(const char *path, struct wv_xml **ret, struct wv_errors *errors,
		struct wv_error *error);
void wv_xml_destroy(struct wv_xml *xml);

/*
 * All text of @node: references replaced, CDATA unwrapped, comments and processing instructions
 * dropped. -WV_E_ASPECT for a character reference to a line break, since it would shift all
 * following lines.
 */
int wv_xml_text(const struct wv_xml *xml, const struct wv_xml_node *node, struct wv_xml_text *ret,
		struct wv_error *error);
/* The same for an attribute's value, in which line breaks are kept. */
int wv_xml_value(const struct wv_xml *xml, const struct wv_xml_attribute *attribute,
		 struct wv_xml_text *ret, struct wv_error *error);
void wv_xml_text_deinit(struct wv_xml_text *text);

/* The place of a byte of the decoded text. */
struct wv_text_location wv_xml_text_location(const struct wv_xml_text *text, size_t offset);

#endif /* WV_XML_H */
