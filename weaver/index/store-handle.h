/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The database being written, for the files that write it. It is opaque to others (store.h). */
#ifndef WV_STORE_HANDLE_H
#define WV_STORE_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "index/contents.h"
#include "database/schema.h"
#include "database/statement.h"

struct wv_store {
	sqlite3 *db; /* the new database, in memory */
	char *path; /* path of the final file */
	bool has_old; /* the existing database at .path is attached as "old" */
	uint64_t number; /* number of the image being written */
	/* contents of the image that wv_store_add() is just adding; NULL: none */
	const struct wv_contents *contents;
	struct wv_error *error;
};

/*
 * Sets store->error to SQLite's message about its last failure. Returns the error's code, negative.
 */
int wv_store_fail(struct wv_store *store);

#endif /* WV_STORE_HANDLE_H */
