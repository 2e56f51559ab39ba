/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a joinpoint database: all of it in one go; the file gets its name when it is whole.
 * The same contents give the same bytes.
 */
#ifndef WV_STORE_H
#define WV_STORE_H

#include "base/error.h"
#include "index/contents.h"

struct wv_store;

/* @keep: images may be taken from the database that is at @path now. */
int wv_store_create(const char *path, bool keep, struct wv_store **ret, struct wv_error *error);
void wv_store_destroy(struct wv_store *store);

/* Adds the next image; the vmlinux is the first. */
int wv_store_add(struct wv_store *store, const struct wv_contents *contents,
		 struct wv_error *error);

/*
 * Adds the next image from the database that is to be replaced, if that has it at this place.
 * *@taken_ret is false when it has not: then it is to be read. What comes out is the same. After a
 * failure the store is of no use; one without @keep may be.
 */
int wv_store_take(struct wv_store *store, const char *name, const uint8_t *build_id, size_t size,
		  bool *taken_ret, struct wv_error *error);

/* Writes the file. */
int wv_store_finish(struct wv_store *store, struct wv_error *error);

#endif /* WV_STORE_H */
