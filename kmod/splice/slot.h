/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Springboard slots: five bytes of padding (padding.h) within reach of a short jump, which hold the
 * near jump to a trampoline.
 *
 * A slot belongs to one splice from before its bytes are written until they are restored, which is
 * after everybody who may have been on its jump has left. Under wk_mutex, process context.
 */
#ifndef WK_SLOT_H
#define WK_SLOT_H

#include <linux/types.h>

#include "runtime/abi.h"

struct wk_slot {
	struct hlist_node node; /* in the table by address */
	unsigned long address;	/* live; 0: none */
	u8 old[WEFT_JUMP_SIZE]; /* the original bytes */
};

/* Takes the slot, whose bytes are the original ones. */
void wk_slot_take(struct wk_slot *slot, unsigned long address);
void wk_slot_release(struct wk_slot *slot);

/* Has a slot other than @but, or any where that is NULL, one of the @size bytes at @address? */
bool wk_slot_overlaps(unsigned long address, unsigned int size, const struct wk_slot *but);

/*
 * Is it certain that no slot has one of the @size bytes at @address? Cheaper than to look for one.
 */
bool wk_slot_none(unsigned long address, unsigned int size);

/* Puts original bytes over those of slots in @buffer, a copy of the text at @address. */
void wk_slot_restore(unsigned long address, u8 *buffer, unsigned int size);

#endif /* WK_SLOT_H */
