/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a database cannot know: a kernel that was built without the plugin has accesses only in the
 * units that `weft prepare` has compiled. Whether a pointcut's answer may lack some is decided
 * here, for all commands.
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
	size_t units, known; /* of the images that the pointcut is for; .known: have accesses */
	/* how many of the others may have what the pointcut picks; 0: the answer is complete */
	size_t missing;
	/* .missing was counted for this pointcut; else it is all of the others */
	bool counted;
	struct wv_str first; /* if counted by file: the first of those missing */
};

/*
 * What the answer to @pointcut may lack. @within: the file that it is narrowed down to
 * (file-name.h), or NULL. Functions, lines and instructions are known of all units.
 */
int wv_db_unprepared(struct wv_db *db, const struct wv_pointcut *pointcut, const char *within,
		     struct wv_unprepared *ret, struct wv_error *error);

/* Adds that as one sentence, with what helps; nothing if the answer is complete. */
void wv_unprepared_text(const struct wv_unprepared *unprepared, const struct wv_pointcut *pointcut,
			struct wv_str *out);

void wv_unprepared_deinit(struct wv_unprepared *unprepared);
#define _cleanup_unprepared_ __attribute__((cleanup(wv_unprepared_deinit)))

#endif /* WV_UNPREPARED_H */
