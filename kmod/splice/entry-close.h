/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Closes the entry of an advice at once, in all its trampolines: an int3 over its first byte, which
 * the trap answers by a return. One byte is written, and nobody has to be waited for, so it takes
 * microseconds, however many splices lead there. The aspect is unwoven afterwards.
 */
#ifndef WK_ENTRY_CLOSE_H
#define WK_ENTRY_CLOSE_H

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/rculist.h>
#include <linux/types.h>

struct wk_closed_entry {
	struct hlist_node node;
	/* live: the advice's entry; 0: not closed, since a kprobe is on it */
	unsigned long address;
	u8 old;		       /* its first byte */
};

extern struct hlist_head wk_closed_entries;

/*
 * Is @address the entry of a closed advice? For the trap: inline, takes no lock, not traced. The
 * list is empty but for the moment between a fault and the end of the aspect's retirement.
 */
static __always_inline bool wk_entry_is_closed(unsigned long address)
{
	const struct wk_closed_entry *closed;

	hlist_for_each_entry_rcu_notrace(closed, &wk_closed_entries, node)
		if (closed->address == address)
			return true;
	return false;
}

/*
 * Closes the entries of the @n elements of @closed, whose addresses are set. Process context;
 * takes the kernel's text_mutex. The caller serializes this with wk_entries_open().
 */
void wk_entries_close(struct wk_closed_entry *closed, unsigned int n);

/* Restores the entries. Nothing calls them any more. Afterwards @closed may be freed. */
void wk_entries_open(struct wk_closed_entry *closed, unsigned int n);

#endif /* WK_ENTRY_CLOSE_H */
