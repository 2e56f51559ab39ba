/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes and removes temporary folders in which modules are built, and writes and reads files in
 * them.
 */
#ifndef WV_BUILD_FOLDER_H
#define WV_BUILD_FOLDER_H

#include <limits.h>

#include "base/error.h"
#include "base/str.h"

/*
 * Makes a new folder where wv_temporary_name() says. If it succeeds, no signal ends weft until
 * wv_build_folder_remove(); see wv_signals_hold().
 */
int wv_build_folder_make(char path[PATH_MAX], struct wv_error *error);

/* Removes a folder that wv_build_folder_make() made. If a signal waits, weft may end here. */
void wv_build_folder_remove(const char *path);

/* Removes any folder, with all that is in it. What cannot be removed is left. */
void wv_folder_remove(const char *path);

/* Writes @text to the file @name in @folder. */
int wv_build_file_write(const char *folder, const char *name, const char *text,
			struct wv_error *error);

/*
 * Creates the symbolic link @name in @folder, to the path that is @target_folder and @target
 * joined, without a slash between them.
 */
int wv_build_file_link(const char *target_folder, const char *target, const char *folder,
		       const char *name, struct wv_error *error);

/* Adds the content of the file @path to @ret; nothing if it cannot be read. */
void wv_build_file_read(const char *path, struct wv_str *ret);

#endif /* WV_BUILD_FOLDER_H */
