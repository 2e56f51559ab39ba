/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of an XML tree, decoded from the file's bytes. */
#ifndef WV_XML_TEXT_H
#define WV_XML_TEXT_H

#include "aspect/xml/xml-tree.h"
#include "base/error.h"
#include "base/str.h"

/*
 * The column of one byte of decoded text. The bytes after it have the next columns, one by one, up
 * to the next line break or the next wv_xml_column.
 */
struct wv_xml_column {
	size_t offset; /* offset of the byte in the decoded text */
	unsigned int column;
};

/*
 * The decoded text of a node. It keeps every line break of the file, so that lines can be counted.
 */
struct wv_xml_text {
	struct wv_str bytes;
	struct wv_text_location location; /* location of the first byte */
	/*
	 * an entry for each byte whose column is not one more than that of the byte before it;
	 * sorted by offset
	 */
	WV_VEC(struct wv_xml_column) columns;
};

/*
 * Decodes all text of @node: replaces references, unwraps CDATA sections, and drops comments and
 * processing instructions. Returns -WV_E_ASPECT for a character reference to a line break, which
 * would change the line number of all following text.
 */
int wv_xml_text(const struct wv_xml *xml, const struct wv_xml_node *node, struct wv_xml_text *ret,
		struct wv_error *error);
/* Like wv_xml_text(), for an attribute's value. Line breaks in the value stay line breaks. */
int wv_xml_value(const struct wv_xml *xml, const struct wv_xml_attribute *attribute,
		 struct wv_xml_text *ret, struct wv_error *error);
/*
 * Sets @ret to the bytes of @text from @from up to @to, with their locations. Returns -1 if out of
 * memory.
 */
int wv_xml_text_part(const struct wv_xml_text *text, size_t from, size_t to,
		     struct wv_xml_text *ret);
void wv_xml_text_deinit(struct wv_xml_text *text);

/* Returns the location in the file of the byte at @offset of the decoded text. */
struct wv_text_location wv_xml_text_location(const struct wv_xml_text *text, size_t offset);

/*
 * Decodes the well-formed reference at @s, such as &lt; or &#38;. @out gets the bytes that it
 * means, at most four, and *@n_ret their number. Returns the length of the reference as written.
 */
size_t wv_xml_reference(const char *s, char *out, size_t *n_ret);

#endif /* WV_XML_TEXT_H */
