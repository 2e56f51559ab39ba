/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the database's write side share: the database that is being made. */
#ifndef WV_STORE_INTERNAL_H
#define WV_STORE_INTERNAL_H

#include "database/schema.h"
#include "database/statement.h"
#include "index/store.h"

struct wv_store {
	sqlite3 *db;
	char *path; /* the final one */
	bool has_old; /* the database that is to be replaced can be taken from */
	uint64_t number; /* of the image that is written */
	const struct wv_contents *contents;
	struct wv_error *error;
};

/* SQLite's words about what it was doing last. */
int wv_store_fail(struct wv_store *store);

/* All rows of store->contents, table by table (store-rows.c). */
int wv_store_rows(struct wv_store *store);

#endif /* WV_STORE_INTERNAL_H */
