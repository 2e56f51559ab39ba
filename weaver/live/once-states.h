/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of the joinpoints of advice that runs once: where it has run, and where it has not run yet.
 */
#ifndef WV_ONCE_STATES_H
#define WV_ONCE_STATES_H

#include "live/requests.h"

struct wv_once_joinpoint {
	struct weft_joinpoint_text text;
	bool hit;
};

struct wv_once {
	/* sorted by index, and so by address; empty: the aspect has no advice that runs once */
	WV_VEC(struct wv_once_joinpoint) list;
	size_t nr_hit;
	size_t nr_out; /* number of joinpoints that were hit and are no longer spliced */
};

/* State since @name's last weave. -WV_E_STATE: the kernel does not know @name. */
int wv_once_get(const struct wv_device *device, const char *name, struct wv_once *ret,
		struct wv_error *error);
void wv_once_deinit(struct wv_once *once);

#endif /* WV_ONCE_STATES_H */
