/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Warns of answers that may lack joinpoints, because the kernel was not prepared for the pointcut
 * (database/unprepared.h).
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
 * Warns of pointcuts for which the database may lack joinpoints, in one line each on standard
 * error. @database: the path of the database, which a command with several databases wants in the
 * warnings; else NULL. @json: gets one JSON object per warning, one on each line; or NULL.
 */
int wv_warn_incomplete(struct wv_db *db, const struct wv_asked *asked, const char *database,
		       struct wv_str *json, struct wv_error *error);

/*
 * Warns of joinpoints that the aspect of @module may lack. To be called only if the module was
 * compiled before this command: a compile prints the same as a note (module/compile-notes.h).
 */
void wv_warn_module_incomplete(const struct wv_aspect_module *module);

#endif /* WV_INCOMPLETE_H */
