/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the shadows that a command line names, by a pointcut or by an aspect's file; for `weft
 * plan` and `weft explain`.
 */
#ifndef WV_FIND_SHADOWS_H
#define WV_FIND_SHADOWS_H

#include "aspect/resolve/select.h"
#include "database/db.h"
#include "database/query.h"

struct wv_shadow_list {
	WV_VEC(const struct wv_match *) list; /* ascending by address */
	/*
	 * one for each of .list: why the shadow is refused, as far as it is known at compile time
	 */
	WV_VEC(enum weft_refusal) refusals;
	/*
	 * Empty, or one for each of .list. True if the shadow is not woven, because its advice is
	 * optional and a variable of the advice is not available there. Such a shadow is still in
	 * .list, because it affects the choice of displaced ranges.
	 */
	WV_VEC(bool) dropped;
	size_t optimized_out;	   /* number of joinpoints that were optimized out */
	/* storage that .list points into */
	struct wv_matches matches;
	struct wv_selection selection;
	struct wv_aspect *aspect;
};

/*
 * Finds the shadows that @what names: a pointcut as on the command line, or an aspect's file. For a
 * pointcut each shadow is listed once; for an aspect once for each advice bound to it, as in the
 * aspect's module. @kinds: kinds of accesses for a member pointcut. @within narrows the result; may
 * be NULL. Warns of joinpoints that the database may lack, and adds the warning to @json if that is
 * not NULL (cmds/incomplete.h). -WV_E_NO_MATCH if there is no shadow.
 */
int wv_shadow_list_find(struct wv_db *db, const char *what, uint32_t kinds, const char *within,
			struct wv_str *json, struct wv_shadow_list *ret, struct wv_error *error);
void wv_shadow_list_deinit(struct wv_shadow_list *list);

#define _cleanup_shadow_list_ __attribute__((cleanup(wv_shadow_list_deinit)))

#endif /* WV_FIND_SHADOWS_H */
