/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds anchors of a module's sections. The running kernel keeps the names and addresses of a
 * module's symbols, but not the addresses of its sections. So weft.ko looks up a symbol of the
 * section, its anchor, to find where the kernel has loaded the section.
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
 * Returns the anchor of @section: the first function in it whose name no other symbol of the image
 * has, in any section and of any type. If there is none, returns the first label with such a name.
 * Returns NULL if there is neither.
 */
const struct wv_symbol *wv_anchors_of(const struct wv_anchors *anchors,
				      const struct wv_symbols *symbols,
				      const struct wv_section *section);

#endif /* WV_ANCHORS_H */
