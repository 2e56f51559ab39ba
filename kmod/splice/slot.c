// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of slots, and the proof that bytes are padding; see slot.h. */
#include <linux/bitmap.h>
#include <linux/hash.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "splice/occupancy.h"
#include "text/function.h"
#include "text/insn.h"
#include "text/sites.h"
#include "splice/slot.h"
#include "splice/splice.h"
#include "text/text.h"
#include "text/single-entry.h"

enum { TABLE_BITS = 10, INT3 = 0xcc };

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
	slot->address = address;
	memcpy(slot->old, (void *)address, sizeof(slot->old));
	++*wk_occupancy_at(&occupancy, address);
	hlist_add_head(&slot->node, head_of(address));
}

void wk_slot_release(struct wk_slot *slot)
{
	--*wk_occupancy_at(&occupancy, slot->address);
	hlist_del(&slot->node);
	slot->address = 0;
}

bool wk_slot_none(unsigned long address, unsigned int size)
{
	unsigned long end = address + size;

	return wk_occupancy_next(&occupancy, address - WEFT_JUMP_SIZE + 1, end) >= end;
}

bool wk_slot_overlaps(unsigned long address, unsigned int size, const struct wk_slot *but)
{
	if (wk_slot_none(address, size))
		return false;
	for (unsigned long at = address - WEFT_JUMP_SIZE + 1; at != address + size; at++) {
		const struct wk_slot *slot = find(at);

		if (slot && slot != but)
			return true;
	}
	return false;
}

void wk_slot_overlay(unsigned long address, u8 *buffer, unsigned int size)
{
	unsigned long end = address + size, at = wk_occupancy_next(&occupancy, address - WEFT_JUMP_SIZE + 1, end);

	for (; at < end; at = wk_occupancy_next(&occupancy, at + 1, end)) {
		const struct wk_slot *slot = find(at);

		for (unsigned int i = 0; slot && i < WEFT_JUMP_SIZE; i++)
			if (at + i >= address && at + i < address + size)
				buffer[at + i - address] = slot->old[i];
	}
}

/* ---- padding --------------------------------------------------------------------------------- */

/* A run of nops and int3s; what ends it does not matter. */
struct run {
	unsigned int start, end; /* bytes from the function's start */
	bool dead;		 /* control does not come in at its start */
};

/*
 * An int3 right behind a jump or return stays what it is: it stops what the processor runs there on speculation. A byte that
 * control may come to ends what can be used, and everything behind it; so does a jump label, which is a nop while it is off.
 */
static void mark_run(struct wk_function *function, struct run run)
{
	if (!run.dead || run.start == run.end)
		return;
	if (function->text[run.start] == INT3)
		run.start++;
	for (unsigned int at = run.start; at < run.end; at++) {
		unsigned long address = function->start + at;

		if (!wk_is_single_entry(function, address, 1, function->size) || wk_sites_owner(address, 1))
			return;
		__set_bit(at, function->padding);
	}
}

static bool is_padding(const struct wr_insn *insn)
{
	return insn->bytes[0] == INT3 || wk_insn_is_nop(insn);
}

/* A jump label's jump may become a nop at any time: then control comes to what stands behind it. */
static bool goes_away(const struct wr_insn *insn)
{
	return insn->ends && insn->kind != WR_INSN_CALL && insn->kind != WR_INSN_CALL_INDIRECT &&
	       !(insn->kind == WR_INSN_JUMP && wk_sites_owner(insn->address, insn->length) == WEFT_REFUSAL_JUMP_LABEL);
}

/* Once a function: what is padding if the aspect's table vouches for the function, where it has to. */
static void find_padding(struct wk_function *function)
{
	struct run run = { 0 };
	bool ended = false;

	function->padding = kvcalloc(BITS_TO_LONGS(function->size), sizeof(long), GFP_KERNEL);
	if (!function->padding || function->why)
		return;
	for (unsigned int at = 0; at < function->size;) {
		unsigned int room = min_t(unsigned int, function->size - at, WEFT_INSN_MAX);
		struct wr_insn insn;
		/* What cannot be relocated is decoded nevertheless, if it is an instruction: it is none that ends. */
		bool known = wk_insn_decode(function->start + at, function->text + at, room, &insn) != WEFT_REFUSAL_UNDECODABLE;

		if (!known)
			break;
		if (!is_padding(&insn)) {
			mark_run(function, run);
			ended = goes_away(&insn);
			run = (struct run){ .start = at + insn.length, .dead = ended };
		}
		at += insn.length;
		run.end = at;
		cond_resched();
	}
	mark_run(function, run);
}

enum weft_refusal wk_slot_check(unsigned long address, u32 c_size)
{
	struct wk_function *function = wk_function_at(address);
	unsigned int at;

	if (!function)
		return WEFT_REFUSAL_SLOT;
	if (!function->padding)
		find_padding(function);
	at = address - function->start;
	if (!function->padding || !wk_may_be_single_entry(function, c_size) || at + WEFT_JUMP_SIZE > function->size ||
	    find_next_zero_bit(function->padding, at + WEFT_JUMP_SIZE, at) < at + WEFT_JUMP_SIZE)
		return WEFT_REFUSAL_SLOT;
	if (wk_text_owner(function, address, WEFT_JUMP_SIZE) || wk_splice_overlaps(address, WEFT_JUMP_SIZE) ||
	    wk_slot_overlaps(address, WEFT_JUMP_SIZE, NULL))
		return WEFT_REFUSAL_SLOT;
	return WEFT_REFUSAL_NONE;
}
