/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks a folder whose files weft runs or loads into the kernel: nobody else may be able to write
 * there.
 */
#ifndef WV_OWN_FOLDER_H
#define WV_OWN_FOLDER_H

#include <limits.h>

#include "base/error.h"

/*
 * Sets @ret to the first folder above @path, from the root on, that others than root and this user
 * may write to, so that they could put another folder in the place of what is in it; "": none.
 */
int wv_replaceable_above(const char *path, char ret[PATH_MAX], struct wv_error *error);

/*
 * Does the folder @path, an absolute path, belong to this user, and can nobody else write to it or
 * replace it by another folder? -WV_E_FAILURE: others could put files there. For the message: @what
 * is the use of the folder, and @setting is the environment variable that chooses another folder.
 */
int wv_own_folder_check(const char *path, const char *what, const char *setting,
			struct wv_error *error);

#endif /* WV_OWN_FOLDER_H */
