/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Warns the user if the result of a pointcut may lack joinpoints, because the kernel was not
 * prepared for the pointcut (database/unprepared.h).
 */
#ifndef WV_INCOMPLETE_H
#define WV_INCOMPLETE_H

#include "aspect/language/aspect-model.h"
#include "base/str.h"
#include "database/db.h"
#include "database/pointcut.h"
#include "module/module-file.h"

/* What a command asked the database: a pointcut, or all pointcuts of an aspect. */
struct wv_asked {
	const struct wv_pointcut *pointcut; /* NULL: all pointcuts of .aspect are meant */
	/* only joinpoints in this file are asked for; NULL: in all files */
	const char *within;
	const struct wv_aspect *aspect;
};

/*
 * Warns of pointcuts for which the database may lack joinpoints, with a line for each on standard
 * error. If @database is not NULL, the warnings have this path of the database, as a command with
 * several databases needs. If @json is not NULL, also adds a line with a JSON object for each
 * warning to it.
 */
int wv_warn_incomplete(struct wv_db *db, const struct wv_asked *asked, const char *database,
		       struct wv_str *json, struct wv_error *error);

/*
 * Warns of joinpoints that the aspect of @module may lack. The caller does not call this if it has
 * just compiled the module, because compiling prints the same as a note (module/compile-notes.h).
 */
void wv_warn_module_incomplete(const struct wv_aspect_module *module);

#endif /* WV_INCOMPLETE_H */
