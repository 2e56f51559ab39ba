/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the debug file of an image. Distributions ship modules without debug information, which is
 * in a package of its own. The module and its debug file have the same build-id.
 */
#ifndef WV_DEBUG_FILE_H
#define WV_DEBUG_FILE_H

#include "image/image.h"

/*
 * Finds the image that has the debug information of @image, and sets *@ret to it: @image itself, or
 * its debug file, or NULL if there is none. The debug file is searched below $WEFT_DEBUG, or else
 * /usr/lib/debug, by the build-id (.build-id/NN/NNNN.debug) and by the path of @image. In both
 * cases it must have the build-id of @image. Its sections get the addresses of the same sections of
 * @image, and it is closed with @image. Returns -WV_E_MISMATCH if its sections are not those of
 * @image.
 */
int wv_debug_file_find(struct wv_image *image, struct wv_image **ret, struct wv_error *error);

/*
 * Fills @error with the message that @image has no debug information, and where to get it. Returns
 * -WV_E_FORMAT.
 */
int wv_debug_file_missing(const struct wv_image *image, struct wv_error *error);

#endif /* WV_DEBUG_FILE_H */
