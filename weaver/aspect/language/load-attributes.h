/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loader's state, and functions that read attributes and the texts of elements. An invalid
 * value is only added to the list of errors and loading continues, so that the author sees all
 * mistakes of a file at once.
 */
#ifndef WV_LOAD_ATTRIBUTES_H
#define WV_LOAD_ATTRIBUTES_H

#include <stdbool.h>
#include <stdint.h>

#include "aspect/language/aspect-model.h"
#include "aspect/xml/errors.h"

struct wv_loader {
	struct wv_aspect *aspect; /* the aspect that is built */
	const struct wv_xml *xml;
	struct wv_error_list list;
};

/*
 * The attribute @name; NULL if @node does not have it. Callers need not report a missing one: if
 * the attribute is required, wv_load_check() has done that.
 */
const struct wv_xml_attribute *wv_load_attribute(const struct wv_xml_node *node, const char *name);

/* A copy of an attribute's value, unchanged; NULL if absent. */
char *wv_load_text(struct wv_loader *loader, const struct wv_xml_node *node, const char *name);

/*
 * Characters that a name may contain besides those of a C name; values for @also below. The first
 * is for a pattern; the second for a symbol, whose suffixes contain dots, or a pattern of symbols.
 */
#define WV_LETTERS_PATTERN "*?"
#define WV_LETTERS_SYMBOL "." WV_LETTERS_PATTERN

/*
 * A copy of an attribute's value; NULL if absent. Reports a value that is not a C name, where the
 * characters of @also count as letters; the copy is returned even then.
 */
char *wv_load_identifier(struct wv_loader *loader, const struct wv_xml_node *node, const char *name,
			 const char *also);
bool wv_load_is_identifier(const char *text, const char *also);

/*
 * The attribute's number. 0 if absent. Reports a value that is no number or not from @least to
 * @most.
 */
uint64_t wv_load_number(struct wv_loader *loader, const struct wv_xml_node *node, const char *name,
			uint64_t least, uint64_t most);

/* log2 of the smallest power of two that is not less than @n; at least 1. */
uint32_t wv_load_bits_for(uint64_t n);

/* An attribute that is "yes" or "no"; false if absent. */
bool wv_load_yes(struct wv_loader *loader, const struct wv_xml_node *node, const char *name);

/*
 * Reads the text of @node, or the value of @attribute, as C with its location. False: it cannot be
 * read, which was reported.
 */
bool wv_load_body(struct wv_loader *loader, const struct wv_xml_node *node,
		  struct wv_aspect_code *ret);
bool wv_load_code(struct wv_loader *loader, const struct wv_xml_attribute *attribute,
		  struct wv_aspect_code *ret);
bool wv_code_is_blank(const struct wv_aspect_code *code);

#endif /* WV_LOAD_ATTRIBUTES_H */
