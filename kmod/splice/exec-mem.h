/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Executable memory within reach of kernel text. One object holds trampolines of one weave; a large
 * weave has several. It is plain data while it is written, is made read-only and executable before
 * anything can jump to it, and is freed when its last trampoline is put. Process context, may
 * sleep; wk_exec_mem_put() under wk_mutex.
 */
#ifndef WK_EXEC_MEM_H
#define WK_EXEC_MEM_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

#include "base/table-memory.h"

struct wk_ksym;

struct wk_exec_mem {
	u8 *base; /* live address; writable until sealed */
	unsigned int size;
	unsigned int used; /* bytes of code; final when sealed */
	unsigned int trampolines; /* reference count; under wk_mutex */
	struct list_head list; /* on the list of the weave that fills it */
	/* on the list that wk_exec_mem_at() reads; empty: the memory is not sealed yet */
	struct list_head sealed;
	struct rcu_head freed;
	struct wk_account memory; /* the account of its bytes */
	/* the symbol of the memory; NULL: not sealed yet, or the kernel has no such symbols */
	struct wk_ksym *ksym;
};

/*
 * Allocates at least @size bytes, with no trampoline in them. NULL if memory is short, if the share
 * of all aspects is used up, or if the memory cannot be written, which is logged.
 */
struct wk_exec_mem *wk_exec_mem_create(unsigned int size);

/*
 * Makes the memory read-only, then executable, so that it is never both writable and executable.
 * Returns 0 or -errno; after an error the memory may only be freed.
 */
int wk_exec_mem_seal(struct wk_exec_mem *memory);

/*
 * Returns the sealed memory that holds live address @address, or NULL. Any context, under
 * rcu_read_lock().
 */
const struct wk_exec_mem *wk_exec_mem_at(unsigned long address);

/* Drops one trampoline's reference; the last one frees the memory. */
void wk_exec_mem_put(struct wk_exec_mem *memory);

/* Frees memory in which no CPU can be, now or later. @memory may be NULL. */
void wk_exec_mem_destroy(struct wk_exec_mem *memory);

#endif /* WK_EXEC_MEM_H */
