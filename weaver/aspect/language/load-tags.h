/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads <tag>, which says which objects are followed, and <xflow>, which lets advice run only for
 * an object that carries a tag (docs/data-flow.md).
 */
#ifndef WV_LOAD_TAGS_H
#define WV_LOAD_TAGS_H

#include "aspect/language/load-attributes.h"

/* Adds a <tag> to the aspect. */
void wv_load_tag(struct wv_loader *loader, const struct wv_xml_node *node);

/* Adds the <xflow> @node to @pointcut. @absent: the <xflow> is in a <not>. */
void wv_load_tag_use(struct wv_loader *loader, const struct wv_xml_node *node, bool absent,
		     struct wv_aspect_pointcut *pointcut);

/*
 * Finds the tag of each <xflow>, and adds the variables of its object to each advice of its
 * pointcut. To be called when all advice of the author and of metrics has been bound to its
 * pointcut.
 */
void wv_load_tag_uses(struct wv_loader *loader);

/*
 * Adds, for each <tag>, the advice that tags objects and the advice that untags them, both bound to
 * their pointcuts. To be called after wv_load_tag_uses().
 */
void wv_load_tag_advices(struct wv_loader *loader);

#endif /* WV_LOAD_TAGS_H */
