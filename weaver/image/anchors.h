/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds anchors: symbols by which weft.ko finds where the running kernel has loaded a section of a
 * module. The kernel keeps the symbols of its modules, with their names, but not the addresses of
 * their sections.
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
 * The anchor of @section: the first symbol in it whose name no other symbol of the image has, in
 * any section and of any type. Functions are preferred. NULL: there is none.
 */
const struct wv_symbol *wv_anchors_of(const struct wv_anchors *anchors,
				      const struct wv_symbols *symbols,
				      const struct wv_section *section);

#endif /* WV_ANCHORS_H */
