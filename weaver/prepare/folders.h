/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes, removes and finds folders of a preparation. */
#ifndef WV_FOLDERS_H
#define WV_FOLDERS_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"
#include "module/prepared.h"

/* Names of the folders below .folder of struct wv_prepare into which packages are unpacked. */
#define WV_GROUP_DEBUG WV_PREPARED_DEBUG
#define WV_GROUP_HEADERS "headers-packages"
#define WV_GROUP_SOURCE "source-package"

/* Makes the folder @path and its parents, unless they exist. */
int wv_make_folders(const char *path, struct wv_error *error);

/* Removes the folder @path with everything in it, if it exists. */
void wv_remove_folder(const char *path);

/*
 * Sets @path to the folder with the headers of kernel @release: the folder of the installed
 * headers, or else the one into which `weft prepare` has unpacked them. Returns false if there is
 * neither.
 */
bool wv_headers_find(const char *release, char path[PATH_MAX]);

#endif /* WV_FOLDERS_H */
