/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Says where an answer may lack joinpoints, because the kernel was not prepared for the pointcut
 * (database/unprepared.h).
 */
#ifndef WV_INCOMPLETE_H
#define WV_INCOMPLETE_H

#include "aspect/language/aspect-model.h"
#include "base/str.h"
#include "database/db.h"
#include "database/pointcut.h"
#include "module/module-file.h"

/* What is asked: a pointcut, or all of an aspect's. */
struct wv_asked {
	const struct wv_pointcut *pointcut; /* NULL: of the aspect */
	const char *within;		    /* the file that it is narrowed down to, or NULL */
	const struct wv_aspect *aspect;
};

/*
 * Warns on standard error, a line for each such pointcut. @database: its path, named where a
 * command has several; else NULL. @json: adds an object with the same to it, a line; or NULL.
 */
int wv_warn_incomplete(struct wv_db *db, const struct wv_asked *asked, const char *database,
		       struct wv_str *json, struct wv_error *error);

/*
 * Warns of what the aspect of a module may lack that was compiled before; one that is compiled now
 * says it by a note (module/compile-notes.h).
 */
void wv_warn_module_incomplete(const struct wv_aspect_module *module);

#endif /* WV_INCOMPLETE_H */
