/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the debug file of an image. Distributions ship modules without debug information, and put
 * the debug information into files of a separate package. A module and its debug file have the same
 * build-id.
 */
#ifndef WV_DEBUG_FILE_H
#define WV_DEBUG_FILE_H

#include "image/image.h"

/*
 * Finds the image that has the debug information of @image. Sets *@ret to @image itself if it has
 * debug information, else to its debug file, else to NULL. The debug file is searched below
 * $WEFT_DEBUG, or else below /usr/lib/debug: by the build-id of @image (.build-id/NN/NNNN.debug),
 * and by the path of @image. A file with another build-id is ignored. The sections of the debug
 * file get the addresses of the same sections of @image. The debug file is closed together with
 * @image. Returns -WV_E_MISMATCH if the debug file has not the sections of @image.
 */
int wv_debug_file_find(struct wv_image *image, struct wv_image **ret, struct wv_error *error);

/*
 * Fills @error with the message that @image has no debug information, and where to get it. Returns
 * -WV_E_FORMAT.
 */
int wv_debug_file_missing(const struct wv_image *image, struct wv_error *error);

#endif /* WV_DEBUG_FILE_H */
