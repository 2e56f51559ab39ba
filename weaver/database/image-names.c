// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads names of images from databases of any version; see image-names.h. */
#include <unistd.h>

#include "database/image-names.h"
#include "database/statement.h"

static int add_names(sqlite3 *sqlite, struct wv_pool *ret, struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;

	/*
	 * All versions of the database from 5 on have these columns. Older ones have no table
	 * `image`: then preparing fails, and there are no names to add.
	 */
	if (sqlite3_prepare_v2(sqlite, "SELECT name FROM image WHERE id > 0 ORDER BY id", -1,
			       &statement, NULL) != SQLITE_OK)
		return 0;
	while (sqlite3_step(statement) == SQLITE_ROW) {
		const unsigned char *name = sqlite3_column_text(statement, 0);

		if (name && wv_pool_add(ret, (const char *)name) == WV_POOL_FAILED)
			return wv_no_memory(error);
	}
	return 0;
}

int wv_db_module_names(const char *path, struct wv_pool *ret, struct wv_error *error)
{
	sqlite3 *sqlite = NULL;
	int failed = 0;

	if (access(path, R_OK))
		return 0;
	if (sqlite3_open_v2(path, &sqlite, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) ==
	    SQLITE_OK)
		failed = add_names(sqlite, ret, error);
	sqlite3_close(sqlite);
	return failed;
}
