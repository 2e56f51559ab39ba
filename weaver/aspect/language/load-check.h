/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of elements against the language's table. */
#ifndef WV_LOAD_CHECK_H
#define WV_LOAD_CHECK_H

#include "aspect/language/load-attributes.h"
#include "aspect/language/rules.h"

/*
 * Reports elements, attributes and text that @rule does not have in @node or below, and what
 * lacks.
 */
void wv_load_check(struct wv_loader *loader, const struct wv_xml_node *node,
		   const struct wv_rule *rule);

#endif /* WV_LOAD_CHECK_H */
