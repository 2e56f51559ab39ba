/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads the content of a <pointcut>. */
#ifndef WV_LOAD_PICK_H
#define WV_LOAD_PICK_H

#include "aspect/language/load-attributes.h"

/*
 * What an element of a <pointcut> picks; NULL for a <cflow>, and for an invalid element, which has
 * been reported. References are resolved when all pointcuts are loaded (load-refs.h).
 */
struct wv_pick *wv_load_pick(struct wv_loader *loader, const struct wv_xml_node *node);

#endif /* WV_LOAD_PICK_H */
