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
	struct wv_aspect *aspect; /* the aspect that is being built */
	const struct wv_xml *xml;
	struct wv_error_list list;
};

/*
 * Returns the attribute @name, or NULL if @node does not have it. Callers need not report a missing
 * one: wv_load_check() has done that for required attributes.
 */
const struct wv_xml_attribute *wv_load_attribute(const struct wv_xml_node *node, const char *name);

/* Returns a copy of an attribute's value; NULL if it is absent. The caller frees it. */
char *wv_load_text(struct wv_loader *loader, const struct wv_xml_node *node, const char *name);

/*
 * Values for the argument @also of the functions below: characters that a name may have besides
 * those of a C name.
 * WV_LETTERS_PATTERN: for a pattern of names.
 * WV_LETTERS_SYMBOL: for a pattern of symbols, which may have a suffix with dots (.isra.0).
 */
#define WV_LETTERS_PATTERN "*?"
#define WV_LETTERS_SYMBOL "." WV_LETTERS_PATTERN

/*
 * Returns a copy of an attribute's value; NULL if it is absent. Reports a value that is not a name:
 * a C name that may also have the characters of @also. The copy is returned even then.
 */
char *wv_load_identifier(struct wv_loader *loader, const struct wv_xml_node *node, const char *name,
			 const char *also);
bool wv_load_is_identifier(const char *text, const char *also);

/*
 * Returns the number that is the attribute's value; 0 if it is absent. Reports a value that is not
 * a number, or not between @least and @most.
 */
uint64_t wv_load_number(struct wv_loader *loader, const struct wv_xml_node *node, const char *name,
			uint64_t least, uint64_t most);

/*
 * Returns the binary logarithm of the smallest power of two that is not less than @n; at least 1.
 */
uint32_t wv_load_bits_for(uint64_t n);

/*
 * Returns the binary logarithm of the number of buckets of a task or tag table. The table has room
 * for as many entries as the attribute @name says, which is at most @most, or for @otherwise
 * entries if the attribute is absent.
 */
uint32_t wv_load_table_bits(struct wv_loader *loader, const struct wv_xml_node *node,
			    const char *name, uint64_t otherwise, uint64_t most);

/* Returns false if the attribute is "no" or absent, else true. Reports any value but yes and no. */
bool wv_load_yes(struct wv_loader *loader, const struct wv_xml_node *node, const char *name);

/*
 * Reads C with its location: wv_load_body() the text of the element @node, wv_load_code() the value
 * of @attribute. Both return false if the C cannot be read, and report that.
 */
bool wv_load_body(struct wv_loader *loader, const struct wv_xml_node *node,
		  struct wv_aspect_code *ret);
bool wv_load_code(struct wv_loader *loader, const struct wv_xml_attribute *attribute,
		  struct wv_aspect_code *ret);
bool wv_code_is_blank(const struct wv_aspect_code *code);

#endif /* WV_LOAD_ATTRIBUTES_H */
