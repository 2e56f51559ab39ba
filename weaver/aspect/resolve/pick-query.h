/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the joinpoints that a pointcut of an aspect picks in a database. */
#ifndef WV_PICK_QUERY_H
#define WV_PICK_QUERY_H

#include "aspect/language/aspect-model.h"
#include "aspect/xml/errors.h"
#include "database/matches.h"

struct wv_db;

/*
 * A joinpoint at one of its shadows. .by: the leaf of the pointcut's tree that picked it; if the
 * leaf is a pattern, a copy with the name that matched.
 */
struct wv_picked {
	const struct wv_match *match;
	const struct wv_pointcut *by;
};

struct wv_picks {
	WV_VEC(struct wv_picked) list;
	/* number of joinpoints that a part of an <and> picked and another part rejected */
	size_t filtered;
	WV_VEC(struct wv_matches) matches; /* storage of the .match in the list */
	WV_VEC(struct wv_pointcut *) pointcuts; /* storage of the .by in the list */
};

/*
 * Finds the joinpoints that pointcut @index of @aspect picks. Each name in the pointcut that the
 * kernel does not have is added to @errors, with its location. If there are such names, returns
 * -WV_E_NO_MATCH, and @error is the first of these errors. Also returns -WV_E_NO_MATCH, with one
 * error, if the list is empty and a part of the pointcut is for other kernels. Any other empty list
 * is no error: returns 0.
 */
int wv_pick_query(const struct wv_aspect *aspect, size_t index, struct wv_db *db,
		  struct wv_picks *ret, struct wv_errors *errors, struct wv_error *error);

/*
 * Copies only the matches of @picks to @ret, in the order of the source. The strings belong to
 * @picks.
 */
int wv_picks_matches(const struct wv_picks *picks, struct wv_matches *ret, struct wv_error *error);

void wv_picks_deinit(struct wv_picks *picks);

#endif /* WV_PICK_QUERY_H */
