/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shadows that a command line names by a pointcut or an aspect's file; used by `weft plan` and
 * `weft explain`.
 */
#ifndef WV_FIND_SHADOWS_H
#define WV_FIND_SHADOWS_H

#include "aspect/resolve/select.h"
#include "database/db.h"
#include "database/query.h"

struct wv_shadow_list {
	WV_VEC(const struct wv_match *) list; /* ascending by address */
	/* parallel to .list: refusals that are found when the aspect is compiled */
	WV_VEC(enum weft_refusal) refusals;
	/*
	 * parallel to .list: optional advice lacks a variable there. These shadows still count when
	 * displaced ranges are chosen
	 */
	WV_VEC(bool) dropped;
	size_t optimized_out;	   /* joinpoints that were optimized out */
	size_t in_modules; /* shadows in modules, which cannot be woven */
	/* Storage that .list points into. */
	struct wv_matches matches;
	struct wv_selection selection;
	struct wv_aspect *aspect;
};

/*
 * @what is a pointcut as on the command line, or an aspect's file. A pointcut gives each shadow
 * once; an aspect gives a shadow once for each advice that is bound to it, as in the aspect's
 * module. @within may be NULL. -WV_E_NO_MATCH if there is no shadow.
 */
int wv_shadow_list_find(struct wv_db *db, const char *what, uint32_t kinds, const char *within,
			struct wv_shadow_list *ret, struct wv_error *error);
void wv_shadow_list_deinit(struct wv_shadow_list *list);

#define _cleanup_shadow_list_ __attribute__((cleanup(wv_shadow_list_deinit)))

#endif /* WV_FIND_SHADOWS_H */
