// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads paths that are parts of each other; see longest-path.h. */
#include <string.h>

#include "base/cleanup.h"
#include "database/db-handle.h"
#include "database/longest-path.h"

static bool is_whole_of(const char *whole, const char *part)
{
	size_t n = strlen(whole);

	return !strncmp(whole, part, n) && part[n] == '.';
}

int wv_db_longest_path(struct wv_db *db, struct sqlite3_stmt *statement, struct wv_str *ret,
		       struct wv_error *error)
{
	_cleanup_str_ struct wv_str longest = { 0 };
	bool more, same = true;
	int failed = wv_db_step(db, statement, &more, error);

	if (failed || !more)
		return failed;
	wv_str_add(&longest, wv_db_text(statement, 0));
	while (!failed && more && same) {
		failed = wv_db_step(db, statement, &more, error);
		if (!failed && more)
			same = is_whole_of(wv_db_text(statement, 0), wv_str_text(&longest));
	}
	if (!failed && same)
		wv_str_add(ret, wv_str_text(&longest));
	return failed ? failed : longest.failed || ret->failed ? wv_no_memory(error) : 0;
}
