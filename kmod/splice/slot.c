// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of slots; see slot.h. */
#include <linux/hash.h>
#include <linux/list.h>
#include <linux/string.h>

#include "splice/occupancy.h"
#include "splice/slot.h"
#include "base/lock.h"

enum { TABLE_BITS = 10 };

static struct hlist_head table[1 << TABLE_BITS];
static struct wk_occupancy occupancy;

static struct hlist_head *head_of(unsigned long address)
{
	return &table[hash_long(address, TABLE_BITS)];
}

static struct wk_slot *find(unsigned long address)
{
	struct wk_slot *slot;

	hlist_for_each_entry(slot, head_of(address), node)
		if (slot->address == address)
			return slot;
	return NULL;
}

void wk_slot_take(struct wk_slot *slot, unsigned long address)
{
	wk_assert_locked();
	slot->address = address;
	memcpy(slot->old, (void *)address, sizeof(slot->old));
	++*wk_occupancy_at(&occupancy, address);
	hlist_add_head(&slot->node, head_of(address));
}

void wk_slot_release(struct wk_slot *slot)
{
	wk_assert_locked();
	--*wk_occupancy_at(&occupancy, slot->address);
	hlist_del(&slot->node);
	slot->address = 0;
}

struct wk_slot *wk_slot_in(unsigned long start, unsigned long end)
{
	struct wk_slot *slot;

	wk_assert_locked();
	for (unsigned int i = 0; i < ARRAY_SIZE(table); i++)
		hlist_for_each_entry(slot, &table[i], node)
			if (slot->address - start < end - start)
				return slot;
	return NULL;
}

bool wk_slot_none(unsigned long address, unsigned int size)
{
	unsigned long end = address + size;

	return wk_occupancy_next(&occupancy, address - WEFT_JUMP_SIZE + 1, end) >= end;
}

bool wk_slot_overlaps(unsigned long address, unsigned int size, const struct wk_slot *but)
{
	wk_assert_locked();
	if (wk_slot_none(address, size))
		return false;
	for (unsigned long at = address - WEFT_JUMP_SIZE + 1; at != address + size; at++) {
		const struct wk_slot *slot = find(at);

		if (slot && slot != but)
			return true;
	}
	return false;
}

void wk_slot_restore(unsigned long address, u8 *buffer, unsigned int size)
{
	unsigned long end = address + size,
		      at = wk_occupancy_next(&occupancy, address - WEFT_JUMP_SIZE + 1, end);

	for (; at < end; at = wk_occupancy_next(&occupancy, at + 1, end)) {
		const struct wk_slot *slot = find(at);

		for (unsigned int i = 0; slot && i < WEFT_JUMP_SIZE; i++)
			if (at + i >= address && at + i < address + size)
				buffer[at + i - address] = slot->old[i];
	}
}
