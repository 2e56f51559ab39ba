/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory of the record buffers (runtime/record-ring.h): one for each possible CPU, so that CPU
 * hotplug needs no handling.
 */
#ifndef WK_RING_H
#define WK_RING_H

#include <linux/percpu.h>

#include "base/table-memory.h"
#include "runtime/record-ring.h"

struct vm_area_struct;

/*
 * Returns the rings, one for each possible CPU, or NULL if memory is short. @bytes: the size of
 * each ring, rounded up to a power of two. The rings are charged to @memory; the caller closes this
 * account when it destroys the rings, and also if NULL is returned. May sleep.
 */
struct wr_ring __percpu *wk_rings_create(struct wk_account *memory, unsigned long bytes);

/*
 * Maps @ring, twice in a row, into user memory that is 2 * ring->size bytes long. The pages live as
 * long as the mapping. May sleep.
 */
int wk_ring_map(const struct wr_ring *ring, struct vm_area_struct *vma);

/* Frees the rings. @rings may be NULL. May sleep. */
void wk_rings_destroy(struct wr_ring __percpu *rings);

#endif /* WK_RING_H */
