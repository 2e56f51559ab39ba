/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * User-space side of /dev/weft-read (runtime/abi-view.h): a reader of an aspect's records that
 * takes none from others, for users without privilege as well.
 */
#ifndef WV_VIEW_REQUESTS_H
#define WV_VIEW_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "live/requests.h"

/*
 * Opens a view; @request says of which aspect, and what it chooses. wv_device_joinpoint() can be
 * asked of @device, and nothing else. Closed by wv_device_close(). Returns:
 * -WV_E_NO_KMOD: weft.ko is not loaded, or has another version of the protocol.
 * -WV_E_PRIVILEGE: the process is in a user namespace, or the kernel is locked down.
 * -WV_E_STATE: there is no such aspect for this user, or the user has too many views.
 */
int wv_view_open(struct wv_device *device, struct weft_view *request, struct wv_error *error);

/* Reads records into @buffer. @ret: what the kernel has answered. */
int wv_view_read(const struct wv_device *device, void *buffer, size_t size,
		 struct weft_view_read *ret, struct wv_error *error);

/* Publishes the aspects @names, which NULL ends, or ends that, as @what says (weft_publish). */
int wv_publish(const struct weft_publish *what, char **names, struct wv_error *error);

#endif /* WV_VIEW_REQUESTS_H */
