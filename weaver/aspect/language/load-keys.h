/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads the attribute `by` of metrics: the values of which the key of a row consists. */
#ifndef WV_LOAD_KEYS_H
#define WV_LOAD_KEYS_H

#include "aspect/language/load-attributes.h"

void wv_load_by(struct wv_loader *loader, const struct wv_xml_node *node, struct wv_metric_by *ret);

#endif /* WV_LOAD_KEYS_H */
