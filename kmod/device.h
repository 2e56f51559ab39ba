/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /dev/weft: the requests of runtime/abi.h, one function each. Root's alone. */
#ifndef WK_DEVICE_H
#define WK_DEVICE_H

#include <linux/types.h>

struct wk_aspect;

int wk_device_init(void);
void wk_device_deinit(void);

/* Takes a woven aspect out, with all that ends when it does. Returns the splices whose bytes are back. Under wk_mutex. */
u32 wk_take_out(struct wk_aspect *aspect);

#endif /* WK_DEVICE_H */
