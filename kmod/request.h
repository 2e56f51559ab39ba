/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies the structs of requests in and out, for /dev/weft and /dev/weft-read. */
#ifndef WK_REQUEST_H
#define WK_REQUEST_H

#include <linux/types.h>

/* Handles the request @command, whose struct is @argument, in the kernel's memory. */
typedef long (*wk_request_run)(void *context, unsigned int command, void *argument);

/*
 * Copies the struct of the request @command from user address @user to @argument, which has @room
 * bytes for it and is all zero after its end, calls @run with @context, and copies the struct out,
 * also after an error. The command code says how large the struct is and which of the copies are
 * made; the caller has seen that it is one of the device's. Returns what @run returns, or -EFAULT.
 * Takes no lock, since whoever accesses user memory may have to wait for any time.
 */
long wk_request(unsigned int command, unsigned long user, void *argument, size_t room,
		wk_request_run run, void *context);

#endif /* WK_REQUEST_H */
