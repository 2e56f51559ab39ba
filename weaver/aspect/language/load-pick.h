/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads the element that a <pointcut> contains. */
#ifndef WV_LOAD_PICK_H
#define WV_LOAD_PICK_H

#include "aspect/language/load-attributes.h"

/*
 * Returns the tree of what @node picks. @node: the element in a <pointcut>, or one inside it.
 * Returns NULL for a <cflow>, and for an invalid element, which has been reported. A <ref> has only
 * its name at first: it is resolved when all pointcuts are loaded (load-refs.h).
 */
struct wv_pick *wv_load_pick(struct wv_loader *loader, const struct wv_xml_node *node);

#endif /* WV_LOAD_PICK_H */
