/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder for temporary files: $TMPDIR, or /tmp. weft may run as root in an environment that
 * another user has made, and what root compiles there is loaded into the kernel. So the folder is
 * refused if a user other than root and the one who runs weft could replace what is made in it.
 */
#ifndef WV_TEMPORARY_H
#define WV_TEMPORARY_H

#include <limits.h>

#include "base/error.h"

/*
 * Sets @ret to the path of the folder, absolute and free of symbolic links. Returns an error if the
 * folder does not exist, or is refused.
 */
int wv_temporary_folder(char ret[PATH_MAX], struct wv_error *error);

/* Sets @ret to a path in this folder for mkdtemp() or mkstemp(), which ends in XXXXXX. */
int wv_temporary_name(char ret[PATH_MAX], struct wv_error *error);

#endif /* WV_TEMPORARY_H */
