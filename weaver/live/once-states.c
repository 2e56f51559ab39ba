// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the state of advice that runs once; see once-states.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/cleanup.h"
#include "live/once-states.h"

static int add(const struct wv_device *device, const char *name, const uint8_t *states, uint32_t n,
	       struct wv_once *ret)
{
	for (uint32_t i = 0; i < n; i++) {
		struct wv_once_joinpoint *slot;

		if (states[i] == WEFT_ONCE_NOT)
			continue;
		slot = wv_vec_push(&ret->list);
		if (!slot)
			return -1;
		slot->hit = states[i] != WEFT_ONCE_WAITING;
		ret->nr_hit += slot->hit;
		ret->nr_out += states[i] == WEFT_ONCE_OUT;
		wv_device_joinpoint(device, name, i, &slot->text);
	}
	return 0;
}

int wv_once_get(const struct wv_device *device, const char *name, struct wv_once *ret,
		struct wv_error *error)
{
	struct weft_once_states request = { 0 };
	_cleanup_free_ uint8_t *states = NULL;
	uint32_t room = 0;

	memset(ret, 0, sizeof(*ret));
	snprintf(request.name, sizeof(request.name), "%s", name);
	do {
		room = request.size;
		free(states);
		states = calloc(room + 1, 1);
		if (!states)
			return wv_no_memory(error);
		request.buffer = (uintptr_t)states;
		if (ioctl(device->fd, WEFT_IOC_ONCE, &request)) {
			if (errno == ENODATA)
				return 0;
			return errno == ENOENT ? wv_fail(error, WV_E_STATE, "no aspect %s", name)
					       : wv_fail_errno(error, errno,
							       "reading what of %s has run", name);
		}
	} while (request.size > room);
	if (!add(device, name, states, request.size, ret))
		return 0;
	wv_once_deinit(ret);
	return wv_no_memory(error);
}

void wv_once_deinit(struct wv_once *once)
{
	wv_vec_deinit(&once->list);
}
