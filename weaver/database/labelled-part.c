// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds labels of parts of a member; see labelled-part.h. */
#include <string.h>

#include "base/cleanup.h"
#include "database/db-handle.h"
#include "database/labelled-part.h"
#include "database/longest-path.h"

/*
 * Selects paths of members that are parts of the member with path ?1: they begin with ?1 and a dot.
 * The longest path comes first. ?2 is the struct with which the paths begin. A path counts only if
 * it is that of an access that has a shadow at offset ?3, with access effect ?4 and precision ?6,
 * and that is in the same source function as joinpoint ?5.
 */
static const char path_sql[] =
	"SELECT DISTINCT field.path FROM field"
	" CROSS JOIN joinpoint ON joinpoint.field = field.id"
	" CROSS JOIN shadow ON shadow.joinpoint = joinpoint.id"
	" WHERE field.outermost = ?2 AND substr(field.path, 1, length(?1) + 1) = ?1 || '.'"
	" AND joinpoint.function = (SELECT function FROM joinpoint WHERE id = ?5)"
	" AND shadow.offset = ?3 AND shadow.use = ?4 AND shadow.precision = ?6"
	" ORDER BY length(field.path) DESC";

int wv_db_labelled_part(struct wv_db *db, const struct wv_match *match, const char *path,
			struct wv_str *ret, struct wv_error *error)
{
	_cleanup_str_ struct wv_str outermost = { 0 };
	sqlite3_stmt *statement;
	int failed = wv_db_keep(db, path_sql, &statement, error);

	if (failed)
		return failed;
	wv_str_add_n(&outermost, path, strcspn(path, "."));
	if (outermost.failed)
		return wv_no_memory(error);
	wv_db_bind_text(statement, 1, path);
	wv_db_bind_text(statement, 2, outermost.data);
	sqlite3_bind_int64(statement, 3, (int64_t)(match->address - db->text_address));
	sqlite3_bind_int(statement, 4, match->effect);
	sqlite3_bind_int64(statement, 5, (int64_t)match->joinpoint);
	sqlite3_bind_int(statement, 6, WEFT_PRECISION_EXACT);
	failed = wv_db_longest_path(db, statement, ret, error);
	sqlite3_reset(statement);
	return failed;
}
