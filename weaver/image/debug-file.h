/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the file that has the debug information of an image without any, as distributions ship it:
 * the module stripped, and its debug information in a package of its own. The two belong together
 * by their build-id.
 */
#ifndef WV_DEBUG_FILE_H
#define WV_DEBUG_FILE_H

#include "image/image.h"

/*
 * *@ret: the image that has the debug information of @image: either @image itself, or its debug
 * file. The debug file is closed with @image, and its sections get the addresses of the same
 * sections of @image. It is looked for below $WEFT_DEBUG, or else /usr/lib/debug, by the build-id
 * (.build-id/NN/NNNN.debug) and by the path of @image. In both cases it must have the build-id of
 * @image. NULL: there is none. -WV_E_MISMATCH: it has other sections than @image.
 */
int wv_debug_file_find(struct wv_image *image, struct wv_image **ret, struct wv_error *error);

/* Fills @error: @image has no debug information, and where to get it. Returns -WV_E_FORMAT. */
int wv_debug_file_missing(const struct wv_image *image, struct wv_error *error);

#endif /* WV_DEBUG_FILE_H */
