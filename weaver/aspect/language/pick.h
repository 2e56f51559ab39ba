/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a pointcut of an aspect says: a tree whose leaves are pointcuts that the database answers,
 * filters, and references to other pointcuts of the aspect. pick-query.h asks the database.
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
#include "database/pointcut.h"
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
	/* POINTCUT; its struct, member, symbol or file may have * and ? */
	struct wv_pointcut pointcut;
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

#endif /* WV_PICK_H */
