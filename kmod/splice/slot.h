/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Springboard slots in padding (padding.h). A slot is five bytes within reach of a springboard's
 * short jump, which hold the near jump to the trampoline.
 *
 * A slot belongs to one splice, from before the slot's bytes are written until they are restored.
 * They are restored when no task can be on the slot's jump any more. Process context, under
 * wk_mutex.
 */
#ifndef WK_SLOT_H
#define WK_SLOT_H

#include <linux/types.h>

#include "runtime/abi.h"

struct wk_slot {
	struct hlist_node node; /* in the table by address */
	unsigned long address;	/* live address; 0: there is no slot */
	u8 old[WEFT_JUMP_SIZE]; /* the original bytes */
};

/* Takes the slot at @address (live), which still holds the original bytes. */
void wk_slot_take(struct wk_slot *slot, unsigned long address);
/* Releases @slot, whose original bytes were restored. */
void wk_slot_release(struct wk_slot *slot);

/* Returns a slot that begins between @start and @end (live addresses); NULL: there is none. */
struct wk_slot *wk_slot_in(unsigned long start, unsigned long end);

/* Does a slot other than @but (which may be NULL) overlap the @size bytes at @address? */
bool wk_slot_overlaps(unsigned long address, unsigned int size, const struct wk_slot *but);

/* True: no slot overlaps the @size bytes at @address. False: one may. Cheaper than a search. */
bool wk_slot_none(unsigned long address, unsigned int size);

/* Replaces slots' bytes by the original ones in @buffer, a copy of the @size bytes at @address. */
void wk_slot_restore(unsigned long address, u8 *buffer, unsigned int size);

#endif /* WK_SLOT_H */
