/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends requests to weft.ko by /dev/weft-read (runtime/abi-view.h). With this device a user, also
 * one without privilege, reads records of an aspect without taking them from other readers.
 */
#ifndef WV_VIEW_REQUESTS_H
#define WV_VIEW_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "live/requests.h"

/*
 * Opens a view. @request says of which aspect, and which records the view chooses. Sets @device to
 * the view: only the functions below and wv_device_joinpoint() take it, and wv_device_close()
 * closes it. Returns:
 * -WV_E_NO_KMOD: weft.ko is not loaded, or has another version of the protocol.
 * -WV_E_PRIVILEGE: the process is in a user namespace, or the kernel is locked down.
 * -WV_E_STATE: there is no such aspect for this user, or the user has too many views.
 */
int wv_view_open(struct wv_device *device, struct weft_view *request, struct wv_error *error);

/* Reads records into @buffer, which has @size bytes, and sets @ret to the kernel's answer. */
int wv_view_read(const struct wv_device *device, void *buffer, size_t size,
		 struct weft_view_read *ret, struct wv_error *error);

/*
 * Lets users read records of the aspects @names, or does not let them any more, as @what says
 * (struct weft_publish). NULL ends @names.
 */
int wv_publish(const struct weft_publish *what, char **names, struct wv_error *error);

#endif /* WV_VIEW_REQUESTS_H */
