/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads advice, and what metrics have in common with it. */
#ifndef WV_LOAD_ADVICE_H
#define WV_LOAD_ADVICE_H

#include "aspect/language/load-attributes.h"

/* Adds a <before-advice> or <after-advice> to the aspect. */
void wv_load_advice(struct wv_loader *loader, const struct wv_xml_node *node);

/* Reads the attributes `start` and `stop`; 0 if absent. */
void wv_load_times(struct wv_loader *loader, const struct wv_xml_node *node,
		   struct wv_aspect_advice *advice);

/*
 * Finds the pointcut that @attribute of @node names for @advice, and reports variables in its C
 * that have no meaning there.
 */
void wv_load_bind(struct wv_loader *loader, const struct wv_xml_node *node,
		  struct wv_aspect_advice *advice, const char *attribute);

#endif /* WV_LOAD_ADVICE_H */
