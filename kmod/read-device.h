/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The device /dev/weft-read, through which users without privilege read records
 * (runtime/abi-view.h). An open file is a view (record/view.h).
 */
#ifndef WK_READ_DEVICE_H
#define WK_READ_DEVICE_H

int wk_read_device_init(void);
void wk_read_device_deinit(void);

#endif /* WK_READ_DEVICE_H */
