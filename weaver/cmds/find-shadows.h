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
	WV_VEC(const struct wv_match *) list; /* in the kernel and modules; ascending by address */
	/*
	 * one for each of .list: why the shadow is refused when the aspect is compiled;
	 * WEFT_REFUSAL_NONE: it is not
	 */
	WV_VEC(enum weft_refusal) refusals;
	/*
	 * For a pointcut: empty. For an aspect: one element for each of .list, true if the shadow
	 * will not be woven, because its advice is optional and lacks a variable there. .list has
	 * the shadow nevertheless, because the displaced ranges of other shadows depend on it.
	 */
	WV_VEC(bool) dropped;
	/* an aspect's shadows in programs, without those that are dropped */
	WV_VEC(const struct wv_selected *) uprobes;
	size_t optimized_out;	   /* number of joinpoints that were optimized out */
	/* what .list and .uprobes have pointers to */
	struct wv_matches matches;
	struct wv_selection selection;
	struct wv_programs programs;
	struct wv_aspect *aspect;
};

/*
 * Finds the shadows that @what names, which is a pointcut as on the command line, or an aspect's
 * file. The list has each shadow of a pointcut once. It has a shadow of an aspect once for each
 * advice that runs there, as the aspect's module has. @kinds are the kinds of access that a
 * pointcut of a member picks. If @within is not NULL, finds only shadows in this function or file.
 * Warns of joinpoints that the database may lack (cmds/incomplete.h, also for @json). Returns
 * -WV_E_NO_MATCH if there is no shadow.
 */
int wv_shadow_list_find(struct wv_db *db, const char *what, uint32_t kinds, const char *within,
			struct wv_str *json, struct wv_shadow_list *ret, struct wv_error *error);
void wv_shadow_list_deinit(struct wv_shadow_list *list);

#define _cleanup_shadow_list_ __attribute__((cleanup(wv_shadow_list_deinit)))

#endif /* WV_FIND_SHADOWS_H */
