/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which modules a database has, also one that this weft does not read otherwise. */
#ifndef WV_IMAGE_NAMES_H
#define WV_IMAGE_NAMES_H

#include "base/error.h"
#include "base/pool.h"

/*
 * Adds the names of the modules of the database at @path, of whatever version. Nothing is added if
 * there is no such file, or if it is no database.
 */
int wv_db_module_names(const char *path, struct wv_pool *ret, struct wv_error *error);

#endif /* WV_IMAGE_NAMES_H */
