/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Patch memory: executable memory within reach of kernel text. One area holds the trampolines that
 * one weave made. It is written while it is plain data, sealed read-only and executable before
 * anything can jump to it, and freed when the last of its trampolines was put. Process context, may
 * sleep.
 */
#ifndef WK_EXEC_MEM_H
#define WK_EXEC_MEM_H

#include <linux/list.h>
#include <linux/types.h>

struct wk_ksym;

struct wk_exec_mem {
	u8 *base; /* live address; writable until sealed */
	unsigned int size;
	unsigned int used;
	unsigned int trampolines; /* references; under wk_mutex */
	struct list_head list; /* while it is filled */
	struct wk_ksym *ksym; /* once sealed; NULL where that is not possible */
};

/* An area of at least @size bytes with no trampoline in it, or NULL. */
struct wk_exec_mem *wk_exec_mem_create(unsigned int size);

/*
 * Makes it read-only, then executable: it is never writable and executable at once. 0, or -errno:
 * then it may only be destroyed.
 */
int wk_exec_mem_seal(struct wk_exec_mem *area);

/* Drops one trampoline; frees the area with the last. */
void wk_exec_mem_put(struct wk_exec_mem *area);

/* For an area that nothing was ever made reachable in. NULL is fine. */
void wk_exec_mem_destroy(struct wk_exec_mem *area);

#endif /* WK_EXEC_MEM_H */
