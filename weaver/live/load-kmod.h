/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens /dev/weft for commands that weave. If weft.ko is installed and not loaded, loads it first.
 */
#ifndef WV_LOAD_KMOD_H
#define WV_LOAD_KMOD_H

#include "base/error.h"
#include "live/requests.h"

/* Like wv_device_open(). Also returns -WV_E_NO_KMOD if modprobe cannot load weft.ko. */
int wv_device_open_loading(struct wv_device *device, struct wv_error *error);

#endif /* WV_LOAD_KMOD_H */
