/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel that was built without the plugin has accesses in the database only for the units that
 * `weft prepare` has compiled. This finds, for all commands, whether a pointcut's answer may lack
 * accesses of other units.
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
	 * units of the images that the pointcut is for; .known: units whose accesses are in the
	 * database
	 */
	size_t units, known;
	/*
	 * how many of the other units may have accesses that the pointcut picks; 0: the answer is
	 * complete
	 */
	size_t missing;
	/* .missing was counted for this pointcut; if false, it is the number of all other units */
	bool counted;
	struct wv_str first; /* if counted by file: the name of the first missing unit */
};

/*
 * Finds what the answer to @pointcut may lack. @within: the file that the answer is narrowed down
 * to (file-name.h), or NULL. Functions, lines and instructions are known for all units.
 */
int wv_db_unprepared(struct wv_db *db, const struct wv_pointcut *pointcut, const char *within,
		     struct wv_unprepared *ret, struct wv_error *error);

/* Adds one sentence about what the answer may lack, and the remedy; nothing if it is complete. */
void wv_unprepared_text(const struct wv_unprepared *unprepared, const struct wv_pointcut *pointcut,
			struct wv_str *out);

void wv_unprepared_deinit(struct wv_unprepared *unprepared);
#define _cleanup_unprepared_ __attribute__((cleanup(wv_unprepared_deinit)))

#endif /* WV_UNPREPARED_H */
