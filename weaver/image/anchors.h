/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds symbols by which the running kernel can find where it has loaded a section of a module: the
 * kernel knows the symbols of its modules by name, and has forgotten the sections.
 */
#ifndef WV_ANCHORS_H
#define WV_ANCHORS_H

#include "image/symbols.h"

struct wv_anchors {
	WV_VEC(const char *) names; /* names of all symbols that the image defines; sorted */
};

/* Collects the names of @image, which must stay open as long as the anchors are used. */
int wv_anchors_init(struct wv_anchors *anchors, struct wv_image *image, struct wv_error *error);
void wv_anchors_deinit(struct wv_anchors *anchors);

/*
 * The first symbol in @section whose name no other symbol of the image has, of whatever section and
 * type; a function, if there is one. NULL: none.
 */
const struct wv_symbol *wv_anchors_of(const struct wv_anchors *anchors,
				      const struct wv_symbols *symbols,
				      const struct wv_section *section);

#endif /* WV_ANCHORS_H */
