/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks the XML tree against the rules of the language's elements (rules.h). */
#ifndef WV_LOAD_CHECK_H
#define WV_LOAD_CHECK_H

#include "aspect/language/load-attributes.h"
#include "aspect/language/rules.h"

/*
 * Reports elements, attributes and text, in @node and below it, that the rules do not allow, and
 * required elements and attributes that are missing. @rule: the rule for @node.
 */
void wv_load_check(struct wv_loader *loader, const struct wv_xml_node *node,
		   const struct wv_rule *rule);

#endif /* WV_LOAD_CHECK_H */
