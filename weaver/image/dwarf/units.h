/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The units of which an image was linked, by the names of their main sources. */
#ifndef WV_UNITS_H
#define WV_UNITS_H

#include "base/pool.h"
#include "image/image.h"
#include "image/paths.h"

/*
 * Adds the names of the main sources of @image's units to @mains: "fs/namei.c". @paths makes them
 * so; it gets all of them. -WV_E_FORMAT: the image has no debug information, or it is damaged.
 */
int wv_units_read(struct wv_image *image, struct wv_paths *paths, struct wv_pool *mains,
		  struct wv_error *error);

#endif /* WV_UNITS_H */
