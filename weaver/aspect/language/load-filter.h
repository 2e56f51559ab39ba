/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads filters: the attributes pid, comm and uid. */
#ifndef WV_LOAD_FILTER_H
#define WV_LOAD_FILTER_H

#include "aspect/language/load-attributes.h"

/*
 * Returns the filter that the attributes of @node define; it belongs to the aspect. NULL: @node has
 * no such attribute.
 */
const struct wv_hit_filter *wv_load_hit_filter(struct wv_loader *loader,
					       const struct wv_xml_node *node);

#endif /* WV_LOAD_FILTER_H */
