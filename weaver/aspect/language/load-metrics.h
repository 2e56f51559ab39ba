/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads metrics, such as <counter>, from their elements. */
#ifndef WV_LOAD_METRICS_H
#define WV_LOAD_METRICS_H

#include "aspect/language/load-attributes.h"

/* Returns whether @element is the name of an element that is a metric. */
bool wv_is_metric(const char *element);

/* Adds the metric @node and its advice to the aspect. */
void wv_load_metric(struct wv_loader *loader, const struct wv_xml_node *node);

/*
 * Binds the metric's advice to the pointcuts that @node names. @advice: its first one in the
 * aspect's list; a second one follows it if the metric is a pair. Returns the number of advices: 1
 * or 2.
 */
size_t wv_metric_bind(struct wv_loader *loader, const struct wv_xml_node *node,
		      struct wv_aspect_advice *advice);

#endif /* WV_LOAD_METRICS_H */
