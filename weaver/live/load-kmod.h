/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For those who are going to weave: weft.ko is loaded where it is installed and not loaded yet. */
#ifndef WV_LOAD_KMOD_H
#define WV_LOAD_KMOD_H

#include "base/error.h"
#include "live/requests.h"

/* As wv_device_open(); -WV_E_NO_KMOD also where modprobe does not load what is installed. */
int wv_device_open_loading(struct wv_device *device, struct wv_error *error);

#endif /* WV_LOAD_KMOD_H */
