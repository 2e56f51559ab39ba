/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /dev/weft, which serves the requests of runtime/abi.h. It can be opened only with CAP_SYS_ADMIN.
 */
#ifndef WK_DEVICE_H
#define WK_DEVICE_H

int wk_device_init(void);
void wk_device_deinit(void);

#endif /* WK_DEVICE_H */
