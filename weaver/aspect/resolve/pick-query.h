/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The joinpoints that a pointcut of an aspect picks in a database. */
#ifndef WV_PICK_QUERY_H
#define WV_PICK_QUERY_H

#include "aspect/language/aspect-model.h"
#include "aspect/xml/errors.h"
#include "database/matches.h"

struct wv_db;

/*
 * A joinpoint with the leaf that picked it; where that has a pattern, with the name in its place.
 */
struct wv_picked {
	const struct wv_match *match;
	const struct wv_pointcut *by;
};

struct wv_picks {
	WV_VEC(struct wv_picked) list;
	size_t filtered; /* joinpoints that were picked but kept out by a part of an <and> */
	WV_VEC(struct wv_matches) matches; /* what the list points into */
	WV_VEC(struct wv_pointcut *) pointcuts; /* likewise */
};

/*
 * The joinpoints of pointcut @index of @aspect. Names that the kernel does not have are errors of
 * their own, each with its place: they are added to @errors, and the result is -WV_E_NO_MATCH with
 * the first of them in @error. An empty list without errors is possible.
 */
int wv_pick_query(const struct wv_aspect *aspect, size_t index, struct wv_db *db,
		  struct wv_picks *ret, struct wv_errors *errors, struct wv_error *error);

/* The list as plain matches, in the order of the source. They live as long as @picks. */
int wv_picks_matches(const struct wv_picks *picks, struct wv_matches *ret, struct wv_error *error);

void wv_picks_deinit(struct wv_picks *picks);

#endif /* WV_PICK_QUERY_H */
