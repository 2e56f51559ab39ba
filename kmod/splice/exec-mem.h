/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Patch memory: executable memory within reach of kernel text. One area holds the patches that one
 * weave made. It is written while it is plain data, sealed read-only and executable before anything
 * can jump to it, and freed when the last of its patches was put. Process context, may sleep.
 */
#ifndef WK_EXEC_MEM_H
#define WK_EXEC_MEM_H

#include <linux/list.h>
#include <linux/types.h>

struct wk_named;

struct wk_area {
	u8 *base; /* live address; writable until sealed */
	unsigned int size;
	unsigned int used;
	unsigned int patches; /* references; under wk_mutex */
	struct list_head list; /* while it is filled */
	struct wk_named *named; /* once sealed; NULL where that is not possible */
};

/* An area of at least @size bytes with no patch in it, or NULL. */
struct wk_area *wk_area_create(unsigned int size);

/*
 * Makes it read-only, then executable: it is never writable and executable at once. 0, or -errno:
 * then it may only be destroyed.
 */
int wk_area_seal(struct wk_area *area);

/* Drops one patch; frees the area with the last. */
void wk_area_put(struct wk_area *area);

/* For an area that nothing was ever made reachable in. NULL is fine. */
void wk_area_destroy(struct wk_area *area);

#endif /* WK_EXEC_MEM_H */
