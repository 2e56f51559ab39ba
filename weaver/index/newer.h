/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks by modification times whether the source tree changed after an image was built. */
#ifndef WV_NEWER_H
#define WV_NEWER_H

#include <stddef.h>

#include "image/paths.h"

/*
 * Returns the number of source files that were modified after the image at @image_path. Files that
 * do not exist are not counted, because the image may have been built on another machine. Copies
 * the name of one modified file to @example.
 */
size_t wv_newer_sources(const struct wv_paths *paths, const char *image_path, char *example,
			size_t size);

#endif /* WV_NEWER_H */
