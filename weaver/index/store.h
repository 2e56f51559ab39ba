/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a joinpoint database. The file appears at its path only when it is complete. Databases
 * with the same contents have the same bytes.
 */
#ifndef WV_STORE_H
#define WV_STORE_H

#include "base/error.h"
#include "index/contents.h"

struct wv_store;

/*
 * Creates a database that will get the path @path. @keep: allow wv_store_take() to copy images from
 * the existing database at @path.
 */
int wv_store_create(const char *path, bool keep, struct wv_store **ret, struct wv_error *error);
void wv_store_destroy(struct wv_store *store);

/* Adds the next image. The first one must be the vmlinux. */
int wv_store_add(struct wv_store *store, const struct wv_contents *contents,
		 struct wv_error *error);

/* Returns whether there is an existing database from which images can be copied. */
bool wv_store_has_old(const struct wv_store *store);

/* Sets *@ret to whether the existing database has an image with this number, name and build-id. */
int wv_store_has(struct wv_store *store, uint64_t number, const char *name,
		 const uint8_t *build_id, size_t size, bool *ret, struct wv_error *error);

/*
 * Adds the next image by copying its rows from the existing database, which must have the image.
 * The rows are the same as if the image had been read. If this function or wv_store_has() fails,
 * the store cannot be used any more, but the caller can start again without @keep.
 */
int wv_store_take(struct wv_store *store, struct wv_error *error);

/* Writes the database to its file, replacing an old one. */
int wv_store_finish(struct wv_store *store, struct wv_error *error);

/*
 * Sets *@ret to the source tree of the vmlinux (paths.h), or to "" if the vmlinux has none. The
 * vmlinux must have been added or taken. The caller frees *@ret.
 */
int wv_store_root(struct wv_store *store, char **ret, struct wv_error *error);

#endif /* WV_STORE_H */
