/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The expression of a pointcut: a tree whose leaves are pointcuts that the database answers,
 * filters, and references to other pointcuts of the aspect. pick-query.h queries the database.
 *
 * Some trees pick: every leaf but <within>, an <and> with at least one part that picks, an <or> all
 * of whose parts pick. The others only filter: they accept or reject what another part of an <and>
 * picked. Shadows are compared, not names: an access and a line are both in an <and> if they share
 * one instruction. Joinpoints without a shadow are compared by identity.
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
	/* POINTCUT; its struct, member, symbol or file may contain * and ? */
	struct wv_pointcut pointcut;
	char *name;		     /* REF */
	struct wv_text_location name_location; /* REF */
	size_t index;		     /* REF: index into the aspect's pointcuts */
	struct wv_within within;	/* WITHIN; with the place of each of its parts */
	struct wv_text_location within_locations[WV_WITHIN_PARTS];
	WV_VEC(struct wv_pick *) parts; /* AND, OR, NOT (exactly one) */
};

void wv_pick_destroy(struct wv_pick *pick);

/* Whether it picks by itself; otherwise it is a filter. */
bool wv_pick_picks(const struct wv_pick *pick);

#endif /* WV_PICK_H */
