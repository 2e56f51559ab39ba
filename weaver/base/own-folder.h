/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks a folder whose files weft runs or loads into the kernel: only root and the user who runs
 * weft may be able to write there.
 */
#ifndef WV_OWN_FOLDER_H
#define WV_OWN_FOLDER_H

#include <limits.h>

#include "base/error.h"

/*
 * Finds a folder above @path (absolute) in which users other than root and the one who runs weft
 * could replace the next component of @path by a folder of their own. Sets @ret to the first such
 * folder from the root on, or to "" if there is none.
 */
int wv_replaceable_above(const char *path, char ret[PATH_MAX], struct wv_error *error);

/*
 * Checks that the folder @path belongs to the user who runs weft, or to root, and that only these
 * two can write to it or replace it. Otherwise returns -WV_E_FAILURE. The message then says what
 * weft needs the folder for (@what), and which environment variable chooses another folder
 * (@setting). If the folder does not exist, also returns an error.
 */
int wv_own_folder_check(const char *path, const char *what, const char *setting,
			struct wv_error *error);

#endif /* WV_OWN_FOLDER_H */
