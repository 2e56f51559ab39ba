/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks a folder whose files weft runs or loads into the kernel: nobody else may be able to write
 * there.
 */
#ifndef WV_OWN_FOLDER_H
#define WV_OWN_FOLDER_H

#include "base/error.h"

/*
 * Does the folder @path, an absolute path, belong to this user, and can nobody else write to it or
 * replace it by another folder? -WV_E_FAILURE: others could put files there. For the message: @what
 * is the use of the folder, and @setting is the environment variable that chooses another folder.
 */
int wv_own_folder_check(const char *path, const char *what, const char *setting,
			struct wv_error *error);

#endif /* WV_OWN_FOLDER_H */
