/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds whether the result of a pointcut may lack accesses. If a kernel was built without the
 * plugin, the database has accesses only of those units that `weft prepare` has compiled.
 */
#ifndef WV_UNPREPARED_H
#define WV_UNPREPARED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"
#include "database/pointcut.h"

struct wv_db;

struct wv_unprepared {
	/*
	 * .units: number of units in the images to which the pointcut applies. .known: number of
	 * those units whose accesses are in the database. Both are 0 if the pointcut picks no
	 * accesses.
	 */
	size_t units, known;
	/*
	 * number of units whose accesses are not in the database, and that may have an access that
	 * the pointcut picks; 0: the pointcut's result is complete
	 */
	size_t missing;
	/*
	 * true: .missing counts only units that mention the member, or whose main source is the
	 * file; false: .missing counts all other units, .units - .known
	 */
	bool counted;
	/* name of the first of the .missing units whose main source is the file; else empty */
	struct wv_str first;
};

/*
 * Finds how many units may have accesses that the result of @pointcut lacks. @within is the file to
 * which the result is restricted (file-name.h), or NULL. Pointcuts of functions, lines and
 * instructions never lack anything, because the database has those of all units.
 */
int wv_db_unprepared(struct wv_db *db, const struct wv_pointcut *pointcut, const char *within,
		     struct wv_unprepared *ret, struct wv_error *error);

/*
 * Adds one sentence to @out that says which accesses the result of @pointcut may lack, and what the
 * user can do about it. Adds nothing if the result is complete.
 */
void wv_unprepared_text(const struct wv_unprepared *unprepared, const struct wv_pointcut *pointcut,
			struct wv_str *out);

void wv_unprepared_deinit(struct wv_unprepared *unprepared);
#define _cleanup_unprepared_ __attribute__((cleanup(wv_unprepared_deinit)))

#endif /* WV_UNPREPARED_H */
