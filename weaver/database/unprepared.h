/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds whether a pointcut's answer may lack accesses. For a kernel that was built without the
 * plugin, the database has accesses only of the units that `weft prepare` has compiled.
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
	 * those units whose accesses are in the database.
	 */
	size_t units, known;
	/*
	 * number of other units that may have accesses which the pointcut picks; 0: the answer is
	 * complete
	 */
	size_t missing;
	/*
	 * true: .missing was counted for this pointcut; false: it is the number of all other units
	 */
	bool counted;
	struct wv_str first; /* the first missing unit's name, if .missing was counted by file */
};

/*
 * Finds which accesses the answer to @pointcut may lack. @within: the file to which the answer is
 * restricted (file-name.h), or NULL. Functions, lines and instructions are complete for all units.
 */
int wv_db_unprepared(struct wv_db *db, const struct wv_pointcut *pointcut, const char *within,
		     struct wv_unprepared *ret, struct wv_error *error);

/*
 * Adds one sentence that says which accesses the answer may lack, and the remedy. Adds nothing if
 * the answer is complete.
 */
void wv_unprepared_text(const struct wv_unprepared *unprepared, const struct wv_pointcut *pointcut,
			struct wv_str *out);

void wv_unprepared_deinit(struct wv_unprepared *unprepared);
#define _cleanup_unprepared_ __attribute__((cleanup(wv_unprepared_deinit)))

#endif /* WV_UNPREPARED_H */
