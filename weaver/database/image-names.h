/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads which modules a database has, even if it is of another version than this weft's. */
#ifndef WV_IMAGE_NAMES_H
#define WV_IMAGE_NAMES_H

#include "base/error.h"
#include "base/pool.h"

/*
 * Adds the names of the modules in the database at @path, whatever its version. Nothing is added if
 * there is no such file, or if the file is no database.
 */
int wv_db_module_names(const char *path, struct wv_pool *ret, struct wv_error *error);

#endif /* WV_IMAGE_NAMES_H */
