/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the source tree is still the one that an image was built from, as far as times tell. */
#ifndef WV_NEWER_H
#define WV_NEWER_H

#include <stddef.h>

#include "image/paths.h"

/*
 * Counts the source files that were changed after the image at @image_path was. Files that are not
 * there (any more), because the image was built elsewhere, are not counted. @example gets the name
 * of one.
 */
size_t wv_newer_sources(const struct wv_paths *paths, const char *image_path, char *example,
			size_t size);

#endif /* WV_NEWER_H */
