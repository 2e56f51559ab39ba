// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writing splices; see poke.h.
 *
 * A jump or call is written by text_poke_queue(): an int3 over the first byte, sync, the other four, sync, the first byte,
 * sync, for up to 256 at a time. Who meets the int3 is sent where the new bytes lead (poke_int3_handler()), which is a patch
 * that is there already. So it is one instruction or the other, at any moment, and nobody waits.
 *
 * Behind the jump over a longer window the rest of the window is filled with int3s. Nobody runs there; but whoever decodes
 * the function, as kprobes do before they trust an address, finds instructions that begin where he expects them, and none that
 * he may probe.
 *
 * A window of several instructions is a trap first, and all this happens once nobody is in the middle of it (settle.c).
 *
 * A bounce's slot is filled before the short jump to it is written, and restored when nobody can be on it any more (retire.c). Nobody
 * runs there meanwhile, so both are plain writes; when the slot's jump is turned to another patch somebody does.
 *
 * Undone in reverse: first the filling, then the jump, which is emulated as long as the original bytes are not complete.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "poke.h"
#include "splice.h"
#include "symbols.h"
#include "text.h"

enum { INT3 = 0xcc, JUMP = 0xe9, CALL = 0xe8, SHORT_JUMP = 0xeb };

struct jump {
	u8 opcode;
	s32 distance;
} __packed;

static_assert(sizeof(struct jump) == WEFT_JUMP_SIZE);

static struct jump jump_to(u8 opcode, unsigned long from, unsigned long to)
{
	struct jump jump = { .opcode = opcode, .distance = to - (from + WEFT_JUMP_SIZE) };

	return jump;
}

/* Bytes of the jump or call at the window's start. */
static unsigned int head_size(const struct wk_splice *splice)
{
	return splice->kind == WEFT_SPLICE_BOUNCE ? WEFT_SHORT_SIZE : WEFT_JUMP_SIZE;
}

/* All bytes of the window of @splice, which is no trap any more, when it leads to @patch. */
static void settled_bytes(const struct wk_splice *splice, const struct wk_patch *patch, u8 *bytes)
{
	unsigned int size = head_size(splice);
	struct jump jump;

	if (splice->kind == WEFT_SPLICE_BOUNCE) {
		bytes[0] = SHORT_JUMP;
		bytes[1] = splice->slot.address - (splice->address + WEFT_SHORT_SIZE);
	} else {
		jump = jump_to(splice->kind == WEFT_SPLICE_CALL ? CALL : JUMP, splice->address, patch->address);
		memcpy(bytes, &jump, sizeof(jump));
	}
	memset(bytes + size, INT3, splice->window.length - size);
}

/* What stands in the text for @splice when it leads to @patch. */
static void spliced_bytes(const struct wk_splice *splice, const struct wk_patch *patch, u8 *bytes)
{
	wk_window_bytes(&splice->window, bytes);
	if (wk_splice_traps(splice))
		bytes[0] = INT3;
	else
		settled_bytes(splice, patch, bytes);
}

static bool slot_is(const struct wk_slot *slot, const void *bytes)
{
	u8 live[WEFT_JUMP_SIZE];

	return !copy_from_kernel_nofault(live, (void *)slot->address, sizeof(live)) && !memcmp(live, bytes, sizeof(live));
}

static bool slot_is_ours(const struct wk_splice *splice)
{
	struct jump jump = jump_to(JUMP, splice->slot.address, splice->patch->address);

	return !splice->slot.address ||
	       (slot_is(&splice->slot, &jump) && !wk_text_kprobe_in(splice->slot.address, WEFT_JUMP_SIZE));
}

static bool text_is(const struct wk_splice *splice, const u8 *bytes)
{
	u8 live[WEFT_WINDOW_MAX];

	return !copy_from_kernel_nofault(live, (void *)splice->address, splice->window.length) &&
	       !memcmp(live, bytes, splice->window.length);
}

bool wk_poke_is_original(const struct wk_splice *splice)
{
	u8 bytes[WEFT_WINDOW_MAX];

	wk_window_bytes(&splice->window, bytes);
	return text_is(splice, bytes) && (!splice->slot.address || slot_is(&splice->slot, splice->slot.old));
}

bool wk_poke_is_ours(const struct wk_splice *splice)
{
	u8 bytes[WEFT_WINDOW_MAX];

	spliced_bytes(splice, splice->patch, bytes);
	return text_is(splice, bytes) && !wk_text_kprobe_in(splice->address, splice->window.length) &&
	       slot_is_ours(splice);
}

void wk_poke_occupy(const struct wk_splice *splice)
{
	struct jump jump = jump_to(JUMP, splice->slot.address, splice->next_patch->address);

	wk_symbols.text_poke((void *)splice->slot.address, &jump, sizeof(jump));
}

bool wk_poke_vacate(const struct wk_splice *splice)
{
	if (!slot_is_ours(splice))
		return false;
	wk_symbols.text_poke((void *)splice->slot.address, splice->slot.old, WEFT_JUMP_SIZE);
	return true;
}

void wk_poke_arm(struct wk_splice *splice)
{
	u8 bytes[WEFT_WINDOW_MAX];

	/* Before the bytes: whoever reads text with original bytes must not miss them. */
	splice->armed = true;
	spliced_bytes(splice, splice->next_patch, bytes);
	if (wk_splice_traps(splice))
		wk_symbols.text_poke((void *)splice->address, bytes, 1);
	else
		wk_symbols.text_poke_queue((void *)splice->address, bytes, head_size(splice), NULL);
}

bool wk_poke_settle(const struct wk_splice *splice)
{
	u8 bytes[WEFT_WINDOW_MAX];

	if (!wk_poke_is_ours(splice))
		return false;
	settled_bytes(splice, splice->patch, bytes);
	wk_symbols.text_poke_queue((void *)splice->address, bytes, head_size(splice), NULL);
	return true;
}

void wk_poke_fill(const struct wk_splice *splice)
{
	unsigned int head = head_size(splice), size = splice->window.length - head;
	u8 bytes[WEFT_WINDOW_MAX];

	if (wk_splice_traps(splice) || !size)
		return;
	memset(bytes, INT3, size);
	wk_symbols.text_poke((void *)splice->address + head, bytes, size);
}

void wk_poke_switch(const struct wk_splice *splice)
{
	struct jump jump = jump_to(JUMP, splice->slot.address, splice->next_patch->address);
	u8 bytes[WEFT_WINDOW_MAX] = { 0 };

	if (splice->kind == WEFT_SPLICE_BOUNCE) {
		memcpy(bytes, &jump, sizeof(jump));
		wk_symbols.text_poke_queue((void *)splice->slot.address, bytes, WEFT_JUMP_SIZE, NULL);
		return;
	}
	if (wk_splice_traps(splice))
		return;
	spliced_bytes(splice, splice->next_patch, bytes);
	wk_symbols.text_poke_queue((void *)splice->address, bytes, WEFT_JUMP_SIZE, NULL);
}

/* The filling goes under the jump, which still stands before it. */
static void unfill(const struct wk_splice *splice)
{
	unsigned int head = head_size(splice), size = splice->window.length - head;
	u8 bytes[WEFT_WINDOW_MAX];

	if (wk_splice_traps(splice) || !size)
		return;
	wk_window_bytes(&splice->window, bytes);
	wk_symbols.text_poke((void *)splice->address + head, bytes + head, size);
}

static void restore_head(struct wk_splice *splice)
{
	u8 bytes[WEFT_WINDOW_MAX], spliced[WEFT_WINDOW_MAX];

	wk_window_bytes(&splice->window, bytes);
	spliced_bytes(splice, splice->patch, spliced);
	if (wk_splice_traps(splice))
		wk_symbols.text_poke((void *)splice->address, bytes, 1);
	else
		wk_symbols.text_poke_queue((void *)splice->address, bytes, head_size(splice), spliced);
	splice->armed = false;
}

unsigned int wk_poke_disarm(struct list_head *splices, struct list_head *stuck)
{
	struct wk_splice *splice, *next;
	unsigned int n = 0;

	list_for_each_entry_safe(splice, next, splices, plan) {
		splice->stuck = !wk_poke_is_ours(splice);
		if (splice->stuck)
			list_move_tail(&splice->plan, stuck);
		else
			unfill(splice);
	}
	wk_symbols.text_poke_sync();
	list_for_each_entry(splice, splices, plan) {
		restore_head(splice);
		n++;
	}
	wk_poke_finish();
	return n;
}

void wk_poke_skip(const struct wk_use *use)
{
	struct jump jump = jump_to(JUMP, use->block.start, use->block.end);

	wk_symbols.text_poke_bp((void *)use->block.start, &jump, sizeof(jump), NULL);
}

void wk_poke_close(struct wk_use *use)
{
	struct jump jump = jump_to(JUMP, use->block.start, use->block.end);

	wk_symbols.text_poke_queue((void *)use->block.start, &jump, sizeof(jump), NULL);
	use->closed = true;
}

/* Nobody is inside what is written: who meets the int3 that goes before it jumps over, once more. */
void wk_poke_open(struct wk_use *use)
{
	struct jump jump = jump_to(JUMP, use->block.start, use->block.end);

	wk_symbols.text_poke_queue((void *)use->block.start, use->block.opening, sizeof(use->block.opening), &jump);
	use->closed = false;
}

void wk_poke_close_new(const struct wk_block *block, u8 *code)
{
	struct jump jump = jump_to(JUMP, block->start, block->end);

	memcpy(code, &jump, sizeof(jump));
}

void wk_poke_finish(void)
{
	wk_symbols.text_poke_finish();
	wk_symbols.text_poke_sync();
}
