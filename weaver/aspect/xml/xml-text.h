/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the reader of tags (xml.c) and the decoder of text (xml-text.c). */
#ifndef WV_XML_TEXT_H
#define WV_XML_TEXT_H

#include "aspect/xml/xml.h"

/* The place of the byte at @offset of the file. */
struct wv_text_location wv_xml_location(const struct wv_xml *xml, size_t offset);

/*
 * Decodes the reference at @s, which must be well-formed, to at most four bytes; returns its length
 * in the file.
 */
size_t wv_xml_reference(const char *s, char *out, size_t *n_ret);

#endif /* WV_XML_TEXT_H */
