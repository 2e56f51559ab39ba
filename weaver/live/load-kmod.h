/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens /dev/weft for commands that weave: loads weft.ko first, if it is installed and not loaded
 * yet.
 */
#ifndef WV_LOAD_KMOD_H
#define WV_LOAD_KMOD_H

#include "base/error.h"
#include "live/requests.h"

/* As wv_device_open(); -WV_E_NO_KMOD also if weft.ko is installed, but modprobe cannot load it. */
int wv_device_open_loading(struct wv_device *device, struct wv_error *error);

#endif /* WV_LOAD_KMOD_H */
