/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shadows that a command line names, by a pointcut or an aspect's file: what `weft plan` and
 * `weft explain` look at.
 */
#ifndef WV_FIND_SHADOWS_H
#define WV_FIND_SHADOWS_H

#include "aspect/resolve/select.h"
#include "database/db.h"
#include "database/query.h"

struct wv_shadow_list {
	WV_VEC(const struct wv_match *) list; /* ascending by address */
	/* of these, where compiling the aspect finds one already */
	WV_VEC(enum weft_refusal) refusals;
	/*
	 * of these: optional advice lacks a variable there. Displaced ranges are chosen with them
	 */
	WV_VEC(bool) dropped;
	size_t optimized_out;	   /* joinpoints that no instruction is left of */
	size_t in_modules; /* shadows in modules, where nothing can be woven */
	/* What they live in. */
	struct wv_matches matches;
	struct wv_selection selection;
	struct wv_aspect *aspect;
};

/*
 * @what is a pointcut as on the command line, each shadow of it once; or an aspect's file, then
 * each once for each advice that is bound to it, as in the aspect's module. @within may be NULL.
 * -WV_E_NO_MATCH where there is none.
 */
int wv_shadow_list_find(struct wv_db *db, const char *what, uint32_t kinds, const char *within,
			struct wv_shadow_list *ret, struct wv_error *error);
void wv_shadow_list_deinit(struct wv_shadow_list *list);

#define _cleanup_shadow_list_ __attribute__((cleanup(wv_shadow_list_deinit)))

#endif /* WV_FIND_SHADOWS_H */
