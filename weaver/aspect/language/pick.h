/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a pointcut of an aspect says: a tree whose leaves are pointcuts that the database answers,
 * filters and references to other pointcuts of the aspect; and the joinpoints that it picks.
 *
 * Some trees pick (every leaf but <within>; an <and> of which one part picks; an <or> whose parts
 * all do), the others only filter: they say yes or no to what another part of an <and> picked. The
 * unit is the shadow, whatever names it: an access and a line are in each other's <and> when they
 * meet at one instruction. Joinpoints without a shadow are compared by what they are.
 */
#ifndef WV_PICK_H
#define WV_PICK_H

#include <stdbool.h>
#include <stddef.h>

#include "aspect/xml/text-location.h"
#include "base/vec.h"
#include "database/db.h"
#include "database/query.h"
#include "database/within.h"

enum wv_pick_type {
	WV_PICK_POINTCUT,
	WV_PICK_REF,
	WV_PICK_WITHIN,
	WV_PICK_AND,
	WV_PICK_OR,
	WV_PICK_NOT,
};

struct wv_pick {
	enum wv_pick_type type;
	struct wv_text_location location;
	struct wv_pointcut pointcut; /* POINTCUT; its struct, member, symbol or file may have * and ? */
	char *name;		     /* REF */
	struct wv_text_location name_place;  /* REF */
	size_t index;		     /* REF: in the aspect's pointcuts */
	struct wv_within within;	/* WITHIN; where each part of it stands */
	struct wv_text_location within_places[WV_WITHIN_PARTS];
	WV_VEC(struct wv_pick *) parts; /* AND, OR, NOT (one) */
};

void wv_pick_destroy(struct wv_pick *pick);

/* Whether it picks by itself; otherwise it is a filter. */
bool wv_pick_picks(const struct wv_pick *pick);

/* A joinpoint with the leaf that picked it; where that has a pattern, with the name in its place. */
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

struct wv_aspect;
struct wv_errors;

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

#endif /* WV_PICK_H */
