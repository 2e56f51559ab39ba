// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds out which joinpoints an answer may lack; see unprepared.h. */
#include <string.h>

#include "base/notation.h"
#include "database/db-handle.h"
#include "database/db.h"
#include "database/pointcut-kinds.h"
#include "database/unprepared.h"
#include "database/wildcard.h"
#include "database/within.h"

/*
 * Sets ret->units and ret->known to numbers of units in the images that @module matches: of all
 * units, and of those whose accesses are known. Sets *@counted_ret to whether the database says,
 * for each of these images, how many of its other units mention a word. An image without other
 * units makes no difference.
 */
static int count_units(struct wv_db *db, const char *module, struct wv_unprepared *ret,
		       bool *counted_ret, struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	bool more;
	int failed = wv_db_prepare(db, "SELECT image.id, count(*), sum(known), mentions FROM unit"
				   " JOIN image ON image.id = unit.id >> "
				   WV_SQL(WV_IMAGE_ID_BITS) " GROUP BY 1", &statement, error);

	*counted_ret = true;
	if (!failed)
		failed = wv_db_step(db, statement, &more, error);
	while (!failed && more) {
		uint64_t image = sqlite3_column_int64(statement, 0);
		size_t units = sqlite3_column_int64(statement, 1);
		size_t known = sqlite3_column_int64(statement, 2);

		if (wv_db_image_is(db, image, module)) {
			ret->units += units;
			ret->known += known;
			*counted_ret &= known == units || sqlite3_column_int64(statement, 3);
		}
		failed = wv_db_step(db, statement, &more, error);
	}
	return failed;
}

/*
 * Returns whether @file is a C file. Most C files are the main source of a unit, which has the
 * file's name, and no other unit has accesses in the file. A header is compiled in many units.
 */
static bool is_c_file(const char *file)
{
	size_t n = strlen(file);

	return n > 2 && !strcmp(file + n - 2, ".c");
}

/*
 * Sets ret->missing to the number of units whose name matches @file and whose accesses are not
 * known, and ret->counted to true. Leaves both as they are if no unit has such a name: then other
 * files include the C file, as they do kernel/sched/rt.c.
 */
static int count_in_file(struct wv_db *db, const char *file, struct wv_unprepared *ret,
			 struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	bool more;
	int failed = wv_db_prepare(db, "SELECT name, known FROM unit WHERE " WV_FILE_IS
				   " ORDER BY id", &statement, error);

	if (failed)
		return failed;
	wv_db_bind_text(statement, 1, file);
	failed = wv_db_step(db, statement, &more, error);
	while (!failed && more) {
		ret->counted = true;
		if (!sqlite3_column_int(statement, 1) && !ret->missing++)
			wv_str_add(&ret->first, wv_db_text(statement, 0));
		failed = wv_db_step(db, statement, &more, error);
	}
	return failed;
}

/*
 * Sets ret->missing to the number of units that mention @word (prepare/mentions.h) and whose
 * accesses are not known, in the images that @module matches. Sets ret->counted to true.
 */
static int count_mentions(struct wv_db *db, const char *word, const char *module,
			  struct wv_unprepared *ret, struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	bool more;
	int failed = wv_db_prepare(db, "SELECT image, units FROM mention WHERE word = ?1 AND image"
				   " IN (SELECT id FROM image WHERE mentions)", &statement, error);

	if (failed)
		return failed;
	wv_db_bind_text(statement, 1, word);
	failed = wv_db_step(db, statement, &more, error);
	while (!failed && more) {
		if (wv_db_image_is(db, sqlite3_column_int64(statement, 0), module))
			ret->missing += sqlite3_column_int64(statement, 1);
		failed = wv_db_step(db, statement, &more, error);
	}
	ret->counted = true;
	return failed;
}

int wv_db_unprepared(struct wv_db *db, const struct wv_pointcut *pointcut, const char *within,
		     struct wv_unprepared *ret, struct wv_error *error)
{
	const bool of_file = pointcut->type == WV_POINTCUT_FILE;
	const char *file = of_file ? pointcut->file : within;
	bool counted;
	int failed;

	*ret = (struct wv_unprepared){ 0 };
	if (wv_pointcut_kind(pointcut->type)->picks != WV_PICKS_ACCESSES)
		return 0;
	failed = count_units(db, pointcut->module, ret, &counted, error);
	if (failed || ret->known == ret->units)
		return failed;
	if (file && is_c_file(file))
		failed = count_in_file(db, file, ret, error);
	/*
	 * Otherwise use how many units mention the member. A database that was made without the
	 * kernel's source does not say this.
	 */
	if (!failed && !ret->counted && !of_file && counted && !wv_pointcut_is_pattern(pointcut))
		failed = count_mentions(db, wv_member_last(pointcut->member), pointcut->module,
					ret, error);
	if (!failed && !ret->counted)
		ret->missing = ret->units - ret->known;
	return failed;
}

void wv_unprepared_text(const struct wv_unprepared *unprepared, const struct wv_pointcut *pointcut,
			struct wv_str *out)
{
	const size_t n = unprepared->missing;

	if (!n)
		return;
	wv_str_addf(out, "accesses are known in %zu of %s%s", unprepared->known,
		    wv_count_text(unprepared->units, "unit").text,
		    unprepared->counted ? "; " : " only: others may have more; see `weft prepare`");
	if (unprepared->first.n && n == 1)
		wv_str_addf(out, "%s is not among them: `weft prepare %s` adds it",
			    unprepared->first.data, unprepared->first.data);
	else if (unprepared->first.n)
		wv_str_addf(out, "%s and %zu more of these files are not among them: `weft "
			    "prepare` adds them", unprepared->first.data, n - 1);
	else if (unprepared->counted)
		wv_str_addf(out, "%zu of the others mention%s %s: `weft prepare --for %s%s%s.%s` "
			    "adds %s", n, wv_plural(n, "s", ""), wv_member_last(pointcut->member),
			    pointcut->module ? pointcut->module : "",
			    pointcut->module ? ":" : "", pointcut->structure, pointcut->member,
			    wv_plural(n, "it", "them"));
}

void wv_unprepared_deinit(struct wv_unprepared *unprepared)
{
	wv_str_deinit(&unprepared->first);
}
