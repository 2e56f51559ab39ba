/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The database that is being written, for the files that write it. Others have it opaque
 * (store.h).
 */
#ifndef WV_STORE_HANDLE_H
#define WV_STORE_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "index/contents.h"
#include "database/schema.h"
#include "database/statement.h"

struct wv_store {
	sqlite3 *db; /* in memory */
	char *path; /* of the file that it becomes */
	bool has_old; /* the database that is at .path now is attached as "old" */
	uint64_t number; /* of the image that is written */
	const struct wv_contents *contents; /* of the image that was added last; NULL: none */
	struct wv_error *error;
};

/* Fails with SQLite's message about its last step. */
int wv_store_fail(struct wv_store *store);

#endif /* WV_STORE_HANDLE_H */
