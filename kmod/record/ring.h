/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory of records' buffers (runtime/record-ring.h): one for each CPU that there may ever be,
 * so that CPUs may come and go.
 */
#ifndef WK_RING_H
#define WK_RING_H

#include <linux/percpu.h>

#include "runtime/record-ring.h"

/* @bytes for each CPU, rounded up. NULL where there is no memory. May sleep. */
struct wr_ring __percpu *wk_rings_create(unsigned long bytes);

/* NULL is fine. */
void wk_rings_destroy(struct wr_ring __percpu *rings);

#endif /* WK_RING_H */
