/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggests names for a variable, member or symbol that does not exist. */
#ifndef WV_VALUES_SUGGEST_H
#define WV_VALUES_SUGGEST_H

#include "aspect/resolve/finder.h"
#include "base/suggest.h"

/*
 * Offers names that are similar to that of @named, which does not exist at the finder's joinpoint.
 */
int wv_suggest(struct wv_finder *finder, const struct wv_reference *named,
	       const struct wv_finding *finding, struct wv_suggestion *suggestion);

/*
 * Adds "; it has a, b, ...": members of the struct that lacks a member. Adds nothing if @finding is
 * about something else.
 */
int wv_list_members(struct wv_finder *finder, const struct wv_finding *finding,
		    struct wv_str *out);

#endif /* WV_VALUES_SUGGEST_H */
