/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What patches need to know of this kernel: where its per-CPU preemption count is, which bits of it
 * tell contexts apart, and weft's own guard.
 */
#ifndef WK_HOST_H
#define WK_HOST_H

#include "../runtime/patch.h"

/* Constant once it is filled. */
extern struct wr_host wk_host;

/* After wk_symbols_init(). */
void wk_host_init(void);

#endif /* WK_HOST_H */
