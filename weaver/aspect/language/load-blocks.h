/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads <declare>, <start> and <end>: C without a joinpoint. */
#ifndef WV_LOAD_BLOCKS_H
#define WV_LOAD_BLOCKS_H

#include "aspect/language/load-attributes.h"

void wv_load_block(struct wv_loader *loader, const struct wv_xml_node *node);

#endif /* WV_LOAD_BLOCKS_H */
