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
 * Undone in reverse: first the filling, then the jump, which is emulated as long as the original bytes are not complete.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "poke.h"
#include "splice.h"
#include "symbols.h"
#include "text.h"

enum { INT3 = 0xcc, JUMP = 0xe9, CALL = 0xe8 };

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

/* What stands in the text for @splice when it leads to @patch: all bytes of its window. */
static void spliced_bytes(const struct wk_splice *splice, const struct wk_patch *patch, u8 *bytes)
{
	struct jump jump;

	wk_window_bytes(&splice->window, bytes);
	if (wk_splice_traps(splice)) {
		bytes[0] = INT3;
		return;
	}
	jump = jump_to(splice->kind == WEFT_SPLICE_CALL ? CALL : JUMP, splice->address, patch->address);
	memcpy(bytes, &jump, sizeof(jump));
	memset(bytes + sizeof(jump), INT3, splice->window.length - sizeof(jump));
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
	return text_is(splice, bytes);
}

bool wk_poke_is_ours(const struct wk_splice *splice)
{
	u8 bytes[WEFT_WINDOW_MAX];

	spliced_bytes(splice, splice->patch, bytes);
	return text_is(splice, bytes) && !wk_text_kprobe_in(splice->address, splice->window.length);
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
		wk_symbols.text_poke_queue((void *)splice->address, bytes, WEFT_JUMP_SIZE, NULL);
}

bool wk_poke_settle(const struct wk_splice *splice)
{
	struct jump jump = jump_to(JUMP, splice->address, splice->patch->address);
	u8 bytes[WEFT_WINDOW_MAX] = { 0 };

	if (!wk_poke_is_ours(splice))
		return false;
	memcpy(bytes, &jump, sizeof(jump));
	wk_symbols.text_poke_queue((void *)splice->address, bytes, WEFT_JUMP_SIZE, NULL);
	return true;
}

void wk_poke_fill(const struct wk_splice *splice)
{
	unsigned int size = splice->window.length - WEFT_JUMP_SIZE;
	u8 bytes[WEFT_WINDOW_MAX];

	if (splice->kind != WEFT_SPLICE_JUMP || splice->trapping || !size)
		return;
	memset(bytes, INT3, size);
	wk_symbols.text_poke((void *)splice->address + WEFT_JUMP_SIZE, bytes, size);
}

void wk_poke_switch(const struct wk_splice *splice)
{
	u8 bytes[WEFT_WINDOW_MAX];

	if (wk_splice_traps(splice))
		return;
	spliced_bytes(splice, splice->next_patch, bytes);
	wk_symbols.text_poke_queue((void *)splice->address, bytes, WEFT_JUMP_SIZE, NULL);
}

/* The filling goes under the jump, which still stands before it. */
static void unfill(const struct wk_splice *splice)
{
	unsigned int size = splice->window.length - WEFT_JUMP_SIZE;
	u8 bytes[WEFT_WINDOW_MAX];

	if (splice->kind != WEFT_SPLICE_JUMP || splice->trapping || !size)
		return;
	wk_window_bytes(&splice->window, bytes);
	wk_symbols.text_poke((void *)splice->address + WEFT_JUMP_SIZE, bytes + WEFT_JUMP_SIZE, size);
}

static void restore_head(struct wk_splice *splice)
{
	u8 bytes[WEFT_WINDOW_MAX], spliced[WEFT_WINDOW_MAX];

	wk_window_bytes(&splice->window, bytes);
	spliced_bytes(splice, splice->patch, spliced);
	if (wk_splice_traps(splice))
		wk_symbols.text_poke((void *)splice->address, bytes, 1);
	else
		wk_symbols.text_poke_queue((void *)splice->address, bytes, WEFT_JUMP_SIZE, spliced);
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

void wk_poke_finish(void)
{
	wk_symbols.text_poke_finish();
	wk_symbols.text_poke_sync();
}
