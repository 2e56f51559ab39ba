/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the joinpoints that a pointcut of an aspect picks in a database. */
#ifndef WV_PICK_QUERY_H
#define WV_PICK_QUERY_H

#include "aspect/language/aspect-model.h"
#include "aspect/xml/errors.h"
#include "database/matches.h"

struct wv_db;

/*
 * A joinpoint with the leaf that picked it; a pattern in the leaf is replaced by the name that
 * matched.
 */
struct wv_picked {
	const struct wv_match *match;
	const struct wv_pointcut *by;
};

struct wv_picks {
	WV_VEC(struct wv_picked) list;
	/* number of joinpoints that were picked but rejected by a part of an <and> */
	size_t filtered;
	WV_VEC(struct wv_matches) matches; /* storage that the list points into */
	WV_VEC(struct wv_pointcut *) pointcuts; /* storage that the list's .by point into */
};

/*
 * The joinpoints of pointcut @index of @aspect. Each name that the kernel does not have is a
 * separate error with its place: all are added to @errors, and the result is -WV_E_NO_MATCH with
 * the first of them in @error. An empty list without errors is possible.
 */
int wv_pick_query(const struct wv_aspect *aspect, size_t index, struct wv_db *db,
		  struct wv_picks *ret, struct wv_errors *errors, struct wv_error *error);

/* The list as plain matches, in source order. They are valid as long as @picks. */
int wv_picks_matches(const struct wv_picks *picks, struct wv_matches *ret, struct wv_error *error);

void wv_picks_deinit(struct wv_picks *picks);

#endif /* WV_PICK_QUERY_H */
