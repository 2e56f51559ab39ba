// SPDX-License-Identifier: GPL-2.0-or-later
/* Errors of the database that is being written; see store-handle.h. */
#include "index/store-handle.h"

int wv_store_fail(struct wv_store *store)
{
	int sqlite_code = sqlite3_errcode(store->db);
	enum wv_code code = sqlite_code == SQLITE_NOMEM ? WV_E_NO_MEMORY : WV_E_FAILURE;

	/*
	 * A row violates a constraint only if the image is damaged and contradicts itself, for
	 * instance with two sections at one address.
	 */
	if (sqlite_code == SQLITE_CONSTRAINT && store->contents)
		return wv_fail_at(store->error, WV_E_FORMAT,
				  wv_image_path(store->contents->image), 0, 0,
				  "contradicts itself: %s", sqlite3_errmsg(store->db));
	return wv_fail_at(store->error, code, store->path, 0, 0, "cannot be written: %s",
			  sqlite3_errmsg(store->db));
}
