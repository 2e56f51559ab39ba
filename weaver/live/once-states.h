/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What became of the joinpoints of advice that runs once: where it has run, and where it still
 * waits.
 */
#ifndef WV_ONCE_STATES_H
#define WV_ONCE_STATES_H

#include "live/requests.h"

struct wv_once_joinpoint {
	struct weft_joinpoint_text text;
	bool hit;
};

struct wv_once {
	/* by index, which is by address; empty: all advice of the aspect runs each time */
	WV_VEC(struct wv_once_joinpoint) list;
	size_t nr_hit;
	size_t nr_out; /* of those, what is out of the text */
};

/* As of @name's last weave. -WV_E_STATE: the kernel does not know it. */
int wv_once_get(const struct wv_device *device, const char *name, struct wv_once *ret,
		struct wv_error *error);
void wv_once_deinit(struct wv_once *once);

#endif /* WV_ONCE_STATES_H */
