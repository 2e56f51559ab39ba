/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loader's state, and reading of attributes and element texts. An invalid value is added to the
 * list of errors and loading continues, so that the author sees all mistakes of a file at once.
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

/* NULL if the node does not have it; the check against the rules has reported that already. */
const struct wv_xml_attribute *wv_load_attribute(const struct wv_xml_node *node, const char *name);

/* A copy of an attribute's value, unchanged; NULL if absent. */
char *wv_load_text(struct wv_loader *loader, const struct wv_xml_node *node, const char *name);

/*
 * Additional characters allowed in a name: in a pattern; in a symbol or a pattern of symbols, since
 * compilers add suffixes.
 */
#define WV_LETTERS_PATTERN "*?"
#define WV_LETTERS_SYMBOL "." WV_LETTERS_PATTERN

/* The same for a C name; the characters of @also count as letters. */
char *wv_load_identifier(struct wv_loader *loader, const struct wv_xml_node *node, const char *name,
			 const char *also);
bool wv_load_is_identifier(const char *text, const char *also);

/* 0 if absent. */
uint64_t wv_load_number(struct wv_loader *loader, const struct wv_xml_node *node, const char *name,
			uint64_t least, uint64_t most);

/* log2 of the smallest power of two that is not less than @n; at least 1. */
uint32_t wv_load_bits_for(uint64_t n);

/* An attribute that is "yes" or "no"; false if absent. */
bool wv_load_yes(struct wv_loader *loader, const struct wv_xml_node *node, const char *name);

/* The text of @node, or of @attribute, with its location. False if it cannot be read. */
bool wv_load_body(struct wv_loader *loader, const struct wv_xml_node *node,
		  struct wv_aspect_code *ret);
bool wv_load_code(struct wv_loader *loader, const struct wv_xml_attribute *attribute,
		  struct wv_aspect_code *ret);
bool wv_code_is_blank(const struct wv_aspect_code *code);

#endif /* WV_LOAD_ATTRIBUTES_H */
