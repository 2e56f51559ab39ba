/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the joinpoints that a pointcut of an aspect picks in a database. */
#ifndef WV_PICK_QUERY_H
#define WV_PICK_QUERY_H

#include "aspect/language/aspect-model.h"
#include "aspect/xml/errors.h"
#include "database/matches.h"

struct wv_db;

/*
 * A joinpoint at one of its shadows, with the leaf of the pointcut's tree that picked it. If the
 * leaf is a pattern, .by has the name that matched in its place.
 */
struct wv_picked {
	const struct wv_match *match;
	const struct wv_pointcut *by;
};

struct wv_picks {
	WV_VEC(struct wv_picked) list;
	/* how many joinpoints some part picked and another part of an <and> rejected */
	size_t filtered;
	WV_VEC(struct wv_matches) matches; /* .match in the list points into these */
	WV_VEC(struct wv_pointcut *) pointcuts; /* .by in the list points to these */
};

/*
 * Finds the joinpoints that pointcut @index of @aspect picks. Each name in the pointcut that the
 * kernel does not have is added to @errors with its location; then the result is -WV_E_NO_MATCH,
 * and @error is the first of them. Without such names, 0 with an empty list is possible.
 */
int wv_pick_query(const struct wv_aspect *aspect, size_t index, struct wv_db *db,
		  struct wv_picks *ret, struct wv_errors *errors, struct wv_error *error);

/* Gets only the matches of @picks, in source order. Their strings belong to @picks. */
int wv_picks_matches(const struct wv_picks *picks, struct wv_matches *ret, struct wv_error *error);

void wv_picks_deinit(struct wv_picks *picks);

#endif /* WV_PICK_QUERY_H */
