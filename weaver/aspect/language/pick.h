/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The expression of a pointcut, as a tree. Its leaves are pointcuts that the database answers,
 * <within>, and references to other pointcuts of the aspect. pick-query.h evaluates it.
 *
 * A part of the tree either picks joinpoints, or only filters: it accepts or rejects joinpoints
 * that another part of the same <and> has picked. These parts pick: every leaf except <within>; an
 * <and> with at least one part that picks; an <or> if all of its parts pick. All others filter. An
 * <and> compares shadows, not names: it accepts an access and a line together if they have a common
 * instruction. Joinpoints without a shadow are compared by their number in the database.
 */
#ifndef WV_PICK_H
#define WV_PICK_H

#include <stdbool.h>
#include <stddef.h>

#include "aspect/xml/text-location.h"
#include "base/linux-version.h"
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
	/*
	 * The range of kernels in which this part picks joinpoints. In other kernels it picks
	 * nothing, and its names are not looked up. .last 0: all kernels.
	 */
	struct wv_linux_range kernels;
	/*
	 * POINTCUT: the pointcut; its struct, member, symbol or file may be a pattern with * and ?
	 */
	struct wv_pointcut pointcut;
	char *name;		     /* REF: name of the pointcut */
	struct wv_text_location name_location; /* REF: location of .name */
	size_t index;		     /* REF: index into the aspect's pointcuts */
	struct wv_within within;	/* WITHIN: the conditions; their locations are below */
	struct wv_text_location within_locations[WV_WITHIN_PARTS];
	WV_VEC(struct wv_pick *) parts; /* AND, OR, NOT: the parts; NOT has exactly one */
};

void wv_pick_destroy(struct wv_pick *pick);

/* Returns whether @pick itself picks joinpoints; false: it only filters. */
bool wv_pick_picks(const struct wv_pick *pick);

#endif /* WV_PICK_H */
