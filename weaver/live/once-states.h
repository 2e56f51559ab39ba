/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out at which joinpoints advice that runs once has run, and at which it has not run yet.
 */
#ifndef WV_ONCE_STATES_H
#define WV_ONCE_STATES_H

#include "live/requests.h"

struct wv_once_joinpoint {
	struct weft_joinpoint_text text;
	bool hit; /* the advice has run there */
};

struct wv_once {
	/*
	 * the joinpoints of advice that runs once, in the order of the aspect's table; empty: there
	 * is no such advice
	 */
	WV_VEC(struct wv_once_joinpoint) list;
	size_t nr_hit; /* number of joinpoints at which the advice has run */
	size_t nr_out; /* number of those of them that are no longer spliced */
};

/*
 * Sets @ret to what has run since the aspect @name was woven last. Returns -WV_E_STATE if the
 * kernel does not know @name.
 */
int wv_once_get(const struct wv_device *device, const char *name, struct wv_once *ret,
		struct wv_error *error);
void wv_once_deinit(struct wv_once *once);

#endif /* WV_ONCE_STATES_H */
