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
 * *@ret: the image with the debug information of @image: @image itself; or its debug file, which is
 * closed with @image, and whose sections have the addresses that those of @image have. The file is
 * looked for, below $WEFT_DEBUG or else /usr/lib/debug, by the build-id (.build-id/NN/NNNN.debug)
 * and by the path of @image; in both places it must have the same build-id. NULL: there is none.
 * -WV_E_MISMATCH: its sections are others than those of @image.
 */
int wv_debug_file_find(struct wv_image *image, struct wv_image **ret, struct wv_error *error);

/* Says in one line that @image has no debug information, and where it can be had. -WV_E_FORMAT. */
int wv_debug_file_missing(const struct wv_image *image, struct wv_error *error);

#endif /* WV_DEBUG_FILE_H */
