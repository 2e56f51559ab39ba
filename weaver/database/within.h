/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Narrows matches down to a file, a function or a module. */
#ifndef WV_WITHIN_H
#define WV_WITHIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "database/matches.h"

struct wv_db;

/*
 * Keeps the matches whose source or shadow is in a function named @within (which may have * and ?),
 * or whose source is in a file named @within (file-name.h). Returns -WV_E_NO_MATCH if there were
 * matches and none is left.
 */
int wv_matches_within(struct wv_matches *matches, const char *within, struct wv_error *error);

#define WV_VMLINUX "vmlinux" /* name of the kernel itself in place of a module's name */

/* Restricts where a joinpoint may be. It must satisfy every member that is not NULL. */
struct wv_within {
	char *function; /* function that contains the source or the shadow; may have * and ? */
	char *file;	/* file that contains the source; see file-name.h */
	char *module;	/* name of a module, or WV_VMLINUX; may have * and ? */
};

enum wv_within_part {
	WV_WITHIN_FUNCTION,
	WV_WITHIN_FILE,
	WV_WITHIN_MODULE,
	WV_WITHIN_PARTS, /* number of parts */
};

/*
 * Returns whether @pattern, which may have * and ?, matches the name of the module @module. @module
 * NULL means the kernel itself, whose name is WV_VMLINUX. A '-' in @pattern stands for '_', which
 * the names of modules have in its place.
 */
bool wv_module_is(const char *module, const char *pattern);

/* Like wv_module_is(), for the image with the number @image. True if @pattern is NULL. */
bool wv_db_image_is(const struct wv_db *db, uint64_t image, const char *pattern);

bool wv_match_is_within(const struct wv_match *match, const struct wv_within *within);

/*
 * Returns -WV_E_NO_MATCH, with similar names, if @pattern matches no module in the database, nor
 * the vmlinux; else 0.
 */
int wv_db_explain_module(struct wv_db *db, const char *pattern, struct wv_error *error);

/*
 * Returns -WV_E_NO_MATCH, with similar names, if the member of @within that @part says is not NULL,
 * and the kernel has nothing that it matches; else 0.
 */
int wv_db_explain_within(struct wv_db *db, const struct wv_within *within, enum wv_within_part part,
			 struct wv_error *error);

#endif /* WV_WITHIN_H */
